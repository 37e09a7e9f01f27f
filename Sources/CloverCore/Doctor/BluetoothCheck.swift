import CloverReaders

/// BlueZ, through which card readers are reached.
struct BluetoothCheck: DoctorCheck {
    func look(_ patient: Patient) async throws -> [Finding] {
        switch try await patient.bluetooth.result(patient) {
        case .success: return [.ok(.bluetooth, "BlueZ is running")]
        case .failure(let error as ReaderError):
            switch error {
            case .noSystemBus: return [.skip(.bluetooth, "BlueZ cannot be asked without a system bus")]
            case .noBluetoothService:
                return [
                    .fail(
                        .bluetooth, "BlueZ is not running: reader scan works with cloud and driver readers only",
                        next: [
                            "sudo systemctl start bluetooth", "or install it: sudo apt install bluez",
                            "without card readers here: clover doctor --skip bluetooth",
                        ])
                ]
            default: return [.fail(.bluetooth, error)]
            }
        case .failure(BlueZInspection.Silence.bus):
            return [.skip(.bluetooth, "BlueZ cannot be asked: the system bus does not answer")]
        case .failure(BlueZInspection.Silence.bluetooth(let seconds)):
            return [
                .fail(
                    .bluetooth, "BlueZ is on the bus, and gave no answer within \(Int(seconds)) s",
                    next: [
                        "sudo systemctl restart bluetooth", "see why: systemctl status bluetooth",
                        "without card readers here: clover doctor --skip bluetooth",
                    ])
            ]
        case .failure(let error): return [.fail(.bluetooth, error)]
        }
    }
}

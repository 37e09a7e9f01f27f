import CloverReaders

/// The system bus, which BlueZ is on.
struct BusCheck: DoctorCheck {
    /// Where the bus is, when it is not at the usual place (dbus-daemon(1)).
    private static let variable = "DBUS_SYSTEM_BUS_ADDRESS"

    private static let withoutBus = "readers of a driver need no bus: clover reader scan --driver PROGRAM"

    func look(_ patient: Patient) async throws -> [Finding] {
        switch try await patient.bluetooth.result(patient) {
        case .failure(let error as ReaderError):
            // A machine without one has no use for it, such as a container: data and charges need none.
            if case .noSystemBus = error {
                guard patient.environment.variables.nonEmpty(Self.variable) != nil else { return [.warn(.bus, error)] }
                return [
                    .warn(
                        .bus, ReaderErrorText.message(error),
                        next: [
                            "take the usual address and not that of the variable: unset \(Self.variable)",
                            Self.withoutBus,
                        ])
                ]
            }
        case .failure(BlueZInspection.Silence.bus(let seconds)):
            return [
                .warn(
                    .bus,
                    "the system bus lets programs connect, and gave no answer within \(Int(seconds)) s: BlueZ is on it",
                    next: [
                        "see what it does: systemctl status dbus",
                        Self.withoutBus,
                    ])
            ]
        case .success, .failure: break
        }
        return [.ok(.bus, "the system bus answers")]
    }
}

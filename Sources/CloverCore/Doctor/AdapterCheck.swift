import CloverReaders

/// The Bluetooth adapters of this machine.
struct AdapterCheck: DoctorCheck {
    func look(_ patient: Patient) async throws -> [Finding] {
        guard case .success(let found) = try await patient.bluetooth.result(patient) else {
            return [.skip(.adapters, "adapters are known to BlueZ only")]
        }
        guard !found.adapters.isEmpty else { return [.warn(.adapters, ReaderError.noAdapter(named: nil))] }
        if let ready = found.adapters.first(where: { $0.isPowered && !$0.isBlocked }) {
            return [.ok(.adapters, "Bluetooth is on at \(ready.name)")]
        }
        return found.adapters.map { adapter in
            .warn(
                .adapters,
                adapter.isBlocked
                    ? ReaderError.adapterBlocked(adapter.name, isHard: false) : ReaderError.adapterOff(adapter.name))
        }
    }
}

import CloverReaders

/// The system bus, which BlueZ is on.
struct BusCheck: DoctorCheck {
    func look(_ patient: Patient) async throws -> [Finding] {
        if case .failure(let error as ReaderError) = try await patient.bluetooth.result(patient),
            case .noSystemBus = error
        {
            // A machine without one has no use for it, such as a container: data and charges need none.
            return [.warn(.bus, error)]
        }
        return [.ok(.bus, "the system bus answers")]
    }
}

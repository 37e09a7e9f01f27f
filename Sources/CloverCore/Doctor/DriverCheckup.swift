import CloverReaders

/// The program that drives readers, where one is set: that it starts, and speaks the protocol. No reader is searched for.
struct DriverCheckup: DoctorCheck {
    func look(_ patient: Patient) async throws -> [Finding] {
        var choice = ReaderDriverChoice()
        choice.connection = patient.choice
        guard let driver = try await choice.greeting(in: patient.environment) else {
            return [.ok(.driver, "no driver program is set")]
        }
        return [.ok(.driver, "the driver \(driver.path) answers: \(driver.words)")]
    }
}

import CloverConfiguration
import CloverReaders

/// The program that drives readers, where one is set: that it starts, and speaks the protocol. No reader is searched for.
struct DriverCheckup: DoctorCheck {
    private static let variable = "CLOVER_READER_DRIVER"

    func look(_ patient: Patient) async throws -> [Finding] {
        var choice = ReaderDriverChoice()
        choice.connection = patient.choice
        let greeting: (path: String, words: String)?
        do {
            greeting = try await choice.greeting(in: patient.environment)
        } catch let error as ReaderError {
            guard let command = try await choice.driverText(in: patient.environment) else { throw error }
            let finding = Finding.fail(.driver, DriverTrouble(error: error, command: command))
            guard patient.environment.variables.nonEmpty(Self.variable) != nil else { return [finding] }
            return [finding.adding(["the variable goes before what the file says: unset \(Self.variable)"])]
        } catch is ConfigurationError {
            // Told by the check of the configuration.
            return [.skip(.driver, "driver cannot be looked at: see above")]
        }
        guard let driver = greeting else { return [.ok(.driver, "no driver program is set")] }
        return [.ok(.driver, "the driver \(driver.path) answers: \(driver.words)")]
    }
}

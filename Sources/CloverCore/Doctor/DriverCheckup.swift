import CloverReaders

/// The program that drives readers, where one is set: that it could be started. It is not.
struct DriverCheckup: DoctorCheck {
    func look(_ patient: Patient) async throws -> [Finding] {
        var choice = ReaderDriverChoice()
        choice.connection = patient.choice
        guard let text = try await choice.driverText(in: patient.environment) else {
            return [.ok(.driver, "no driver program is set")]
        }
        guard let command = DriverCommand(parsing: text) else { throw ReaderFault.malformedDriver(text) }
        let path = try command.locate(variables: patient.environment.variables)
        return [
            .ok(
                .driver, "driver \(command.name) is \(path)", next: [])
        ]
    }
}

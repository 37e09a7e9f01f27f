import ArgumentParser
import CloverCore
import CloverReaders

/// The program that reaches a reader which takes cards.
struct DriverProgramOptions: ParsableArguments {
    @Option(
        name: .customLong("driver"), parsing: .unconditional,
        help: ArgumentHelp(
            "The reader's driver program and its arguments (CLOVER_READER_DRIVER); see clover-reader-driver(5).",
            valueName: "program"))
    var program: String?

    @Option(
        name: .customLong("driver-timeout"), parsing: .unconditional,
        help: ArgumentHelp("How long a driver may take to answer; 10s by default.", valueName: "duration"))
    var patience: String?

    var isGiven: Bool { program != nil || patience != nil }

    func validate() throws {
        if let program, DriverCommand(parsing: program) == nil {
            throw ValidationError("--driver takes a program and its arguments")
        }
        if let patience { _ = try DriverOptions.seconds(patience, "--driver-timeout") }
    }

    func choice() throws -> ReaderDriverChoice {
        var choice = ReaderDriverChoice()
        choice.driver = program
        choice.driverPatience = try patience.map { try DriverOptions.seconds($0, "--driver-timeout") }
        return choice
    }
}

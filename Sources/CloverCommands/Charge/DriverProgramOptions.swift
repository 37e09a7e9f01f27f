import ArgumentParser
import CloverCore
import CloverReaders

/// The driver program for a reader that takes cards.
struct DriverProgramOptions: ParsableArguments {
    @Option(
        name: .customLong("driver"), parsing: .unconditional,
        help: ArgumentHelp(
            "Driver program of the reader, with arguments (CLOVER_READER_DRIVER); see clover-reader-driver(5).",
            valueName: "program"))
    var program: String?

    @Option(
        name: .customLong("driver-timeout"), parsing: .unconditional,
        help: ArgumentHelp("Maximum time for a driver to respond (default: 10s).", valueName: "duration"))
    var timeout: String?

    var isGiven: Bool { program != nil || timeout != nil }

    func validate() throws {
        if let program, DriverCommand(parsing: program) == nil {
            throw ValidationError("--driver takes a program and its arguments")
        }
        if let timeout { _ = try DriverOptions.seconds(timeout, "--driver-timeout") }
    }

    func choice() throws -> ReaderDriverChoice {
        var choice = ReaderDriverChoice()
        choice.driver = program
        choice.driverPatience = try timeout.map { try DriverOptions.seconds($0, "--driver-timeout") }
        return choice
    }
}

import ArgumentParser
import CloverCore
import CloverReaders

/// By what readers are reached.
struct DriverOptions: ParsableArguments {
    @Option(
        name: .customLong("driver"),
        help: ArgumentHelp(
            "A driver program and its arguments (CLOVER_READER_DRIVER); see clover-reader-driver(5).",
            valueName: "program"))
    var program: String?

    @Option(
        name: .customLong("driver-timeout"),
        help: ArgumentHelp("How long a driver may take to answer; 10s by default.", valueName: "duration"))
    var patience: String?

    @Option(help: ArgumentHelp("The Bluetooth adapter, such as hci0; by default all that are on.", valueName: "name"))
    var adapter: String?

    @Flag(name: .customLong("power-on"), help: "Turn the Bluetooth adapter on when it is off.")
    var powersOn = false

    func validate() throws {
        if let program, DriverCommand(parsing: program) == nil {
            throw ValidationError("--driver takes a program and its arguments")
        }
        if let patience { _ = try Self.seconds(patience, "--driver-timeout") }
    }

    /// - Parameter transports: nil leaves them open.
    func choice(transports: [ReaderTransport]? = nil) throws -> ReaderDriverChoice {
        var choice = ReaderDriverChoice()
        choice.transports = transports
        choice.driver = program
        choice.driverPatience = try patience.map { try Self.seconds($0, "--driver-timeout") }
        choice.adapter = adapter
        choice.powersOn = powersOn
        return choice
    }

    static func seconds(_ text: String, _ option: String) throws -> Double {
        do throws(CoreError) {
            return try DurationExpression.seconds(text)
        } catch {
            throw ValidationError("\(option) takes a duration such as 500ms, 10s or 1m")
        }
    }
}

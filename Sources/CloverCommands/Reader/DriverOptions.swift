import ArgumentParser
import CloverCore
import CloverReaders

/// How readers are reached: driver program and Bluetooth adapter.
struct DriverOptions: ParsableArguments {
    @Option(
        name: .customLong("driver"),
        help: ArgumentHelp(
            "Driver program with arguments (CLOVER_READER_DRIVER); see clover-reader-driver(5).",
            valueName: "program"))
    var program: String?

    @Option(
        name: .customLong("driver-timeout"),
        help: ArgumentHelp("Maximum time for a driver to respond (default: 10s).", valueName: "duration"))
    var driverTimeout: String?

    @Option(help: ArgumentHelp("Bluetooth adapter, such as hci0 (default: all that are on).", valueName: "name"))
    var adapter: String?

    @Flag(name: .customLong("power-on"), help: "Turn the Bluetooth adapter on if it is off.")
    var powersOn = false

    func validate() throws {
        if let program, DriverCommand(parsing: program) == nil {
            throw ValidationError("--driver takes a program and its arguments")
        }
        if let driverTimeout { _ = try Self.seconds(driverTimeout, "--driver-timeout") }
    }

    /// - Parameter transports: nil uses the default transports.
    func choice(transports: [ReaderTransport]? = nil) throws -> ReaderDriverChoice {
        var choice = ReaderDriverChoice()
        choice.transports = transports
        choice.driver = program
        choice.driverPatience = try driverTimeout.map { try Self.seconds($0, "--driver-timeout") }
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

import ArgumentParser
import CloverCore
import CloverJSON
import CloverReaders

extension ReaderCommand {
    struct DriverCheckCommand: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "driver-check",
            abstract: "Check that a driver program follows the protocol",
            discussion: """
                Examples:
                  clover reader driver-check ./my-driver
                  clover reader driver-check 'clover-emulator reader-driver'
                  clover reader driver-check ./my-driver --json | jq -r .result

                Runs the program and steps through the protocol of clover-reader-driver(5) with it, printing a line \
                for each step, up to the first violation: status 65. It needs a reader that can be connected; without \
                one, the status is 69. No card is charged: if the driver can charge, a charge is started and cancelled \
                at once.
                """
        )

        @Argument(help: ArgumentHelp("Driver and its arguments, quoted as one shell word.", valueName: "program"))
        var program: String

        @Option(
            name: .customLong("driver-timeout"),
            help: ArgumentHelp("Maximum time for the driver to respond (default: 10s).", valueName: "duration"))
        var timeout: String?

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func validate() throws {
            if DriverCommand(parsing: program) == nil {
                throw ValidationError("'\(program)' names no program")
            }
            if let timeout { _ = try DriverOptions.seconds(timeout, "--driver-timeout") }
        }

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            var choice = ReaderDriverChoice()
            choice.driverTimeout = try timeout.map { try DriverOptions.seconds($0, "--driver-timeout") }
            let driver = try choice.external(program, in: environment)
            let isForPerson = environment.terminal.isOutputTerminal && !messages.json
            let verdict = try await environment.criticalWork.cleaningUp {
                try await driver.check { step, outcome in
                    try await StandardOutput.print(
                        isForPerson ? Self.text(step, outcome) : Self.json(step, outcome), in: environment)
                }
            }
            switch verdict {
            case .conforms: return 0
            case .incomplete: throw ReaderFault.checkIncomplete(program: driver.command.name)
            case .fails(.driver(.notStarted(let errno), let program)):
                throw ReaderError.driver(.notStarted(errno: errno), program: program)
            case .fails: throw ReaderFault.driverFails(program: driver.command.name)
            }
        }

        private static func text(_ step: String, _ outcome: DriverCheckOutcome) -> String {
            let (result, detail) = words(outcome)
            let word = result + String(repeating: " ", count: 9 - result.count)
            return Diagnostics.printable("\(word)\(step): \(detail)") + "\n"
        }

        private static func json(_ step: String, _ outcome: DriverCheckOutcome) -> String {
            let (result, detail) = words(outcome)
            var line = JSONLine()
            line.add("step", step)
            line.add("result", result)
            line.add("detail", detail)
            return line.text + "\n"
        }

        private static func words(_ outcome: DriverCheckOutcome) -> (result: String, detail: String) {
            switch outcome {
            case .passed(let detail): ("ok", detail)
            case .skipped(let detail): ("skipped", detail)
            case .failed(let error): ("fail", error.message)
            }
        }
    }
}

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
        choice.driverTimeout = try driverTimeout.map { try Self.seconds($0, "--driver-timeout") }
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

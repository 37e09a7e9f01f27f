import CloverConfiguration
package import CloverReaders

/// The drivers that the user chose by flags, or else in the configuration.
package struct ReaderDriverChoice: Sendable, Equatable {
    /// Nil leaves it open.
    package var transports: [ReaderTransport]?
    /// A driver program and its arguments; nil leaves it open.
    package var driver: String?
    /// Response timeout of a driver program, in seconds; nil for the default.
    package var driverTimeout: Double?
    /// The Bluetooth adapter, such as `hci0`; nil for any.
    package var adapter: String?
    /// Whether to turn on an adapter that is off.
    package var powersOn = false
    /// The merchant whose devices to use, for `cloud`.
    package var connection = ConnectionChoice()

    package init() {}

    /// The driver program from the flag or the configuration; nil if none is set.
    package func driverText(in environment: CommandEnvironment) async throws -> String? {
        if let driver { return driver }
        return try await environment.settings(for: connection).text(.readerDriver)
    }

    /// The transports to scan. Default: Bluetooth, and the driver if one is configured; only the driver if one is given by
    /// flag.
    func scanned(in environment: CommandEnvironment) async throws -> [ReaderTransport] {
        if let transports { return ReaderTransport.allCases.filter { transports.contains($0) } }
        if driver != nil { return [.driver] }
        return try await driverText(in: environment) == nil ? [.ble] : [.ble, .driver]
    }

    /// The transport given by flag, which overrides a reader's last transport; nil if none is given.
    var named: ReaderTransport? {
        if let transports, transports.count == 1 { return transports[0] }
        return driver == nil ? nil : .driver
    }

    /// The transport for a reader that is not known.
    func usual(in environment: CommandEnvironment) async throws -> ReaderTransport {
        if let named { return named }
        return try await driverText(in: environment) == nil ? .ble : .driver
    }

    /// Makes the driver of a transport.
    func make(_ transport: ReaderTransport, in environment: CommandEnvironment) async throws -> any ReaderDriver {
        switch transport {
        case .ble: BlueZDriver(variables: environment.variables, adapter: adapter, powersOn: powersOn)
        case .cloud: try await cloud(in: environment)
        case .driver: try await external(in: environment)
        }
    }

    private func cloud(in environment: CommandEnvironment) async throws -> CloudDriver {
        let connection = try await Connection.resolve(connection, in: environment)
        var pacing = RateLimitOptions()
        pacing.command = "reader"
        return CloudDriver(
            client: try connection.makeClient(retries: 2, pacing: pacing, in: environment),
            merchantID: connection.merchantID,
            posID: try connection.settings.text(.payDisplayPosID) ?? CloudDriver.defaultPOSID, sleep: environment.sleep)
    }

    /// Makes the driver that runs the driver program.
    package func external(in environment: CommandEnvironment) async throws -> ExternalDriver {
        guard let text = try await driverText(in: environment) else { throw ReaderFault.noDriver }
        let command = try Self.command(text)
        return ExternalDriver(
            command, variables: environment.variables, limits: limits,
            onErrorLine: Self.errorLines(of: command, in: environment))
    }

    /// Makes the check of a driver program.
    func check(_ text: String, in environment: CommandEnvironment) throws -> DriverCheck {
        let command = try Self.command(text)
        return DriverCheck(
            command, variables: environment.variables, limits: limits,
            onErrorLine: Self.errorLines(of: command, in: environment))
    }

    /// Starts the configured driver program and asks for its name and capabilities, within two seconds.
    ///
    /// - Returns: its path and a description; nil if none is set.
    /// - Throws: `ReaderFault.malformedDriver`, `ReaderError.driver`.
    func greeting(in environment: CommandEnvironment) async throws -> (path: String, words: String)? {
        guard let text = try await driverText(in: environment) else { return nil }
        let command = try Self.command(text)
        let path = try command.locate(variables: environment.variables)
        let check = DriverCheck(
            command, variables: environment.variables, limits: DriverLimits(answer: 2, ending: 0.5),
            onErrorLine: Self.errorLines(of: command, in: environment))
        return (path, try await check.greeting())
    }

    private var limits: DriverLimits {
        driverTimeout.map { DriverLimits(answer: $0) } ?? DriverLimits()
    }

    private static func command(_ text: String) throws(ReaderFault) -> DriverCommand {
        guard let command = DriverCommand(parsing: text) else { throw .malformedDriver(text) }
        return command
    }

    private static func errorLines(
        of command: DriverCommand, in environment: CommandEnvironment
    ) -> @Sendable (String) -> Void {
        let diagnostics = environment.diagnostics
        return { line in
            let text = "\(command.name): \(line)"
            diagnostics.report(
                text,
                json:
                    "{\"driver\":{\"program\":\(JSONText.string(command.name)),\"message\":\(JSONText.string(line))}}",
                from: .quiet)
        }
    }
}

extension ReaderDriver {
    /// The readers with a link; empty on a machine without Bluetooth.
    func linkedReadersIfAny() async throws -> [Reader] {
        do {
            return try await linkedReaders()
        } catch ReaderError.noSystemBus, ReaderError.noBluetoothService, ReaderError.noAdapter(named: nil) {
            return []
        }
    }
}

/// `reader driver-check`: checks that a driver program conforms to the protocol.
package struct DriverInspection: Sendable {
    package var program: String
    package var drivers = ReaderDriverChoice()

    package init(program: String) {
        self.program = program
    }

    /// The program's name, for messages.
    package var name: String { DriverCommand(parsing: program)?.name ?? program }

    /// A completed step.
    package struct Step: Sendable {
        package let name: String
        package let outcome: DriverCheck.Outcome

        package var word: String {
            switch outcome {
            case .passed: "ok"
            case .skipped: "skipped"
            case .failed: "fail"
            }
        }

        package var detail: String {
            switch outcome {
            case .passed(let text), .skipped(let text): text
            case .failed(let error): ReaderErrorText.message(error)
            }
        }

        package var json: String {
            var line = JSONLine()
            line.add("step", name)
            line.add("result", word)
            line.add("detail", detail)
            return line.text + "\n"
        }
    }

    /// Runs the check and reports each step. Returns the overall result.
    package func run(
        in environment: CommandEnvironment, onStep: @escaping @Sendable (Step) async throws -> Void
    ) async throws -> DriverCheck.Verdict {
        let check = try drivers.check(program, in: environment)
        return try await environment.criticalWork.cleaningUp {
            try await check.run { name, outcome in try await onStep(Step(name: name, outcome: outcome)) }
        }
    }
}

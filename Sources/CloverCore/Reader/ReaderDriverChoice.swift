import CloverConfiguration
package import CloverReaders

/// Which drivers are meant: flags first, then what is set once for all.
package struct ReaderDriverChoice: Sendable, Equatable {
    /// Nil leaves it open.
    package var transports: [ReaderTransport]?
    /// A driver program and its arguments; nil leaves it open.
    package var driver: String?
    /// How many seconds a driver program may take to answer; nil for the usual time.
    package var driverPatience: Double?
    /// The Bluetooth adapter, such as `hci0`; nil for any.
    package var adapter: String?
    /// Whether an adapter that is off is turned on.
    package var powersOn = false
    /// Whose devices are meant, for `cloud`.
    package var connection = ConnectionChoice()

    package init() {}

    /// The driver program that is named somewhere; nil when none is.
    func driverText(in environment: CommandEnvironment) async throws -> String? {
        if let driver { return driver }
        return try await environment.settings(for: connection).text(.readerDriver)
    }

    /// What a scan listens to when nothing else is said: Bluetooth, and the driver where one is named; a driver that was
    /// named by flag is what is meant.
    func scanned(in environment: CommandEnvironment) async throws -> [ReaderTransport] {
        if let transports { return ReaderTransport.allCases.filter { transports.contains($0) } }
        if driver != nil { return [.driver] }
        return try await driverText(in: environment) == nil ? [.ble] : [.ble, .driver]
    }

    /// The way that was named by flag, which is what is meant however a reader was reached before; nil when none was.
    var named: ReaderTransport? {
        if let transports, transports.count == 1 { return transports[0] }
        return driver == nil ? nil : .driver
    }

    /// The way to a reader when nothing is known of it.
    func usual(in environment: CommandEnvironment) async throws -> ReaderTransport {
        if let named { return named }
        return try await driverText(in: environment) == nil ? .ble : .driver
    }

    /// The driver of a transport.
    func make(_ transport: ReaderTransport, in environment: CommandEnvironment) async throws -> any ReaderDriver {
        switch transport {
        case .ble: BlueZDriver(variables: environment.variables, adapter: adapter, powersOn: powersOn)
        case .cloud: try await cloud(in: environment)
        case .driver: try await external(in: environment)
        }
    }

    private func cloud(in environment: CommandEnvironment) async throws -> CloudDriver {
        let connection = try await Connection.resolve(connection, in: environment)
        var pacing = PacingChoice()
        pacing.command = "reader"
        return CloudDriver(
            client: try connection.makeClient(retries: 2, pacing: pacing, in: environment),
            merchantID: connection.merchantID,
            posID: try connection.settings.text(.payDisplayPosID) ?? CloudDriver.usualPosID, sleep: environment.sleep)
    }

    /// The driver program.
    package func external(in environment: CommandEnvironment) async throws -> ExternalDriver {
        guard let text = try await driverText(in: environment) else { throw ReaderFault.noDriver }
        let command = try Self.command(text)
        return ExternalDriver(
            command, variables: environment.variables, limits: limits,
            onErrorLine: Self.errorLines(of: command, in: environment))
    }

    /// The check of a driver program.
    func check(_ text: String, in environment: CommandEnvironment) throws -> DriverCheck {
        let command = try Self.command(text)
        return DriverCheck(
            command, variables: environment.variables, limits: limits,
            onErrorLine: Self.errorLines(of: command, in: environment))
    }

    /// The driver program that is named somewhere, started and asked who it is; it has two seconds for that.
    ///
    /// - Returns: its path, and its word; nil when none is named.
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
        driverPatience.map { DriverLimits(answer: $0) } ?? DriverLimits()
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

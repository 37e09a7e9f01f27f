import CloverConfiguration
import CloverJSON
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
    package func scanned(in environment: CommandEnvironment) async throws -> [ReaderTransport] {
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

    package func make(_ transport: ReaderTransport, in environment: CommandEnvironment) async throws -> any ReaderDriver
    {
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
        return try external(text, in: environment)
    }

    /// Makes the driver that runs a program, without starting it.
    ///
    /// - Parameters:
    ///   - text: the program and its arguments.
    ///   - limits: nil for those of the options.
    /// - Throws: `ReaderFault.malformedDriver`.
    package func external(
        _ text: String, limits: DriverLimits? = nil, in environment: CommandEnvironment
    ) throws(ReaderFault) -> ExternalDriver {
        guard let command = DriverCommand(parsing: text) else { throw .malformedDriver(text) }
        let diagnostics = environment.diagnostics
        return ExternalDriver(
            command, variables: environment.variables,
            limits: limits ?? driverTimeout.map { DriverLimits(answer: $0) } ?? DriverLimits()
        ) { line in
            let words = "\"program\":\(JSONString.quoted(command.name)),\"message\":\(JSONString.quoted(line))"
            diagnostics.report("\(command.name): \(line)", json: "{\"driver\":{\(words)}}", from: .quiet)
        }
    }
}

extension ReaderDriver {
    /// The readers with a link; empty on a machine without Bluetooth.
    package func linkedReadersIfAny() async throws -> [Reader] {
        do {
            return try await linkedReaders()
        } catch ReaderError.noSystemBus, ReaderError.noBluetoothService, ReaderError.noAdapter(named: nil) {
            return []
        }
    }
}

import CloverDBus

/// Connects to one reader.
struct BlueZConnection: Sendable {
    let link: BlueZLink
    /// The adapters that may know the reader or receive its signal.
    let adapters: [BlueZAdapter]
    let power: BlueZAdapterSelector
    /// The reader's address or name.
    let id: String

    /// Finds the reader, connects to it if necessary, and starts preparing it.
    /// - Parameter limit: the time for the search, and again for connecting.
    func establish(within limit: Duration) async throws -> BlueZSession {
        let device: BlueZDevice
        if let known {
            device = known
        } else {
            device = try await discover(within: limit)
        }
        guard let adapter = adapters.first(where: { $0.path == device.adapter }) else {
            throw ReaderError.unknownReader(id)
        }
        // A connection that an earlier session kept, or that another program made, can be used.
        if !device.isConnected {
            try await OperationTimeout.run(
                limit, otherwise: .timedOut(.connecting, reader: id, seconds: limit.inSeconds)
            ) { [self] in try await connect(device, adapter, within: limit) }
        }
        return BlueZSession(link: link, adapter: adapter, device: device, power: power, limit: limit)
    }

    private var known: BlueZDevice? {
        link.state.look(matchingDevice)
    }

    /// The reader, if an adapter knows it. A connected one takes precedence, then one that is received now.
    private func matchingDevice(_ state: BlueZState) -> BlueZDevice? {
        let devices = adapters.flatMap { state.objects.devices(of: $0.path) }.filter { $0.isCalled(id) }
        return devices.first { $0.isConnected } ?? devices.first { $0.isLive } ?? devices.first
    }

    /// BlueZ forgets a device 30 seconds after its last signal, and connects only to devices that it knows.
    private func discover(within limit: Duration) async throws -> BlueZDevice {
        try await OperationTimeout.run(limit, otherwise: .unknownReader(id)) { [self] in
            try await BlueZDiscovery.run(link, adapters[...]) {
                try await link.state.next { state in
                    try power.check(adapters, in: state)
                    return matchingDevice(state)
                }
            }
        }
    }

    private func connect(_ device: BlueZDevice, _ adapter: BlueZAdapter, within limit: Duration) async throws {
        do throws(DBusError) {
            _ = try await link.call(device.path, BlueZNames.device, "Connect", within: limit)
        } catch {
            // Otherwise BlueZ keeps trying.
            try await Uncancelled.run { await link.disconnect(device.path) }
            let isGone = try await isGone(device, adapter)
            try power.check(adapter, in: link.state.look { $0 })
            if isGone { throw ReaderError.vanished(id) }
            throw BlueZErrorMapper.error(error, during: .connecting, adapter: adapter.name, reader: id)
        }
        try await link.waitForConnection(of: device.path)
    }

    /// Whether the device disappeared. The reply may be processed before signals that were sent ahead of it, so this waits
    /// briefly for them.
    private func isGone(_ device: BlueZDevice, _ adapter: BlueZAdapter) async throws -> Bool {
        try await OperationTimeout.value(within: .milliseconds(500)) { [self] in
            try await link.state.next { state in
                try power.check(adapter, in: state)
                return state.objects.device(device.path) == nil ? true : nil
            }
        } ?? false
    }
}

extension BlueZLink {
    /// Waits until the state shows a connection that BlueZ has just confirmed: its reply may be processed before the signal
    /// that was sent ahead of it. If the connection is lost at that time, the wait ends.
    ///
    /// BlueZ 5.66 sends no signal if it uses the connection before the kernel has reported it (device_add_connection in
    /// src/device.c, which logs "is already connected"), so the objects are read again.
    func waitForConnection(of device: String) async throws {
        if state.look({ $0.objects.device(device)?.isConnected ?? false }) { return }
        try await refresh()
        _ = try await OperationTimeout.value(within: .seconds(2)) { [self] in
            try await state.next { state in
                if let end = state.end { throw end }
                return state.objects.device(device)?.isConnected ?? false ? () : nil
            }
        }
    }

    /// Ends the connection to a device, or the attempt to connect. Failures are ignored: BlueZ refuses only if there is
    /// nothing to end.
    func disconnect(_ device: String) async {
        do throws(DBusError) {
            _ = try await call(device, BlueZNames.device, "Disconnect", within: .seconds(5))
        } catch {
            return
        }
    }
}

/// A connection to BlueZ on the system bus, with an up-to-date copy of its objects. When it closes, BlueZ ends the
/// discoveries and notifications of this client, but not connections to devices.
final class BlueZLink: Sendable {
    let state: AsyncState<BlueZState>
    private let bus: Bus
    /// Processes BlueZ's signals; cancelled by ``close()``.
    private let signalTask: Task<Void, Never>

    /// Time limit for calls that BlueZ answers at once.
    static let timeout = Duration.seconds(10)

    /// Connects, subscribes to signals, and then reads the objects.
    /// - Parameters:
    ///   - variables: the environment; see `BusAddress.system(variables:)`.
    ///   - onBus: called when the bus has responded, before BlueZ is asked.
    static func open(
        variables: [String: String], onBus: () -> Void = {}
    ) async throws -> BlueZLink {
        var hasBus = false
        do throws(DBusError) {
            let bus = try await Bus.open(BusAddress.system(variables: variables))
            // A single stream, because only that preserves the order of events.
            let signals = try await bus.signals(
                matchingAny: [
                    MatchRule(sender: BlueZNames.service),
                    MatchRule(
                        sender: BlueZNames.bus, path: BlueZNames.busPath, interface: BlueZNames.bus,
                        member: "NameOwnerChanged", firstArgument: BlueZNames.service),
                ], within: timeout)
            hasBus = true
            onBus()
            return BlueZLink(bus, signals: signals, objects: try await objects(bus))
        } catch .timedOut {
            throw ReaderError.bluetoothSilent(isBus: !hasBus)
        } catch {
            throw BlueZErrorMapper.error(error, during: .reachingBluetooth)
        }
    }

    private init(_ bus: Bus, signals: AsyncThrowingStream<DBusSignal, any Error>, objects: BlueZObjects) {
        self.bus = bus
        let state = AsyncState(BlueZState(objects))
        self.state = state
        signalTask = Task { await Self.follow(signals, into: state) }
    }

    deinit { close() }

    /// Closes the connection; tasks that wait for the state receive its end.
    func close() {
        signalTask.cancel()
        bus.close()
    }

    func call(
        _ path: String, _ interface: String, _ member: String, _ arguments: [DBusValue] = [],
        within limit: Duration = timeout
    ) async throws(DBusError) -> [DBusValue] {
        try await bus.call(
            destination: BlueZNames.service, path: path, interface: interface, member: member, arguments: arguments,
            within: limit)
    }

    /// Reads the objects again, for changes that BlueZ's signals do not report, or not yet. If that fails, the copy stays as
    /// it is, and soon receives the reason.
    func refresh() async throws(CancellationError) {
        var isTaken = false
        // If signals never pause, the copy is as new as they are.
        for _ in 0..<Self.refreshes where !isTaken {
            let seen = state.look(\.signals)
            let objects: BlueZObjects
            do throws(DBusError) {
                objects = try await Self.objects(bus)
            } catch .cancelled {
                throw CancellationError()
            } catch {
                return
            }
            // A signal that arrived before the reply may be newer.
            state.update { state in
                guard state.signals == seen else { return }
                state.objects = objects
                isTaken = true
            }
        }
    }

    private static let refreshes = 20

    private static func objects(_ bus: Bus) async throws(DBusError) -> BlueZObjects {
        let managed = try await bus.call(
            destination: BlueZNames.service, path: BlueZNames.root, interface: BlueZNames.objectManager,
            member: "GetManagedObjects", within: timeout)
        guard let objects = BlueZObjects(managed: managed) else {
            throw .reply(name: "GetManagedObjects", text: "the response is not a list of objects")
        }
        return objects
    }

    /// Applies signals to the state. Signals from before the objects were read are applied again; the last of them are as
    /// new as the objects.
    private static func follow(
        _ signals: AsyncThrowingStream<DBusSignal, any Error>, into state: AsyncState<BlueZState>
    ) async {
        var end = ReaderError.noSystemBus(detail: "the connection was closed")
        do {
            for try await signal in signals { state.update { $0.apply(signal) } }
        } catch let error as DBusError {
            if let error = BlueZErrorMapper.error(error, during: .reachingBluetooth) as? ReaderError { end = error }
        } catch {
            end = .noSystemBus(detail: "\(error)")
        }
        state.update { state in
            if state.end == nil { state.end = end }
        }
    }
}

/// Runs work that must finish even if the surrounding task is cancelled.
enum Uncancelled {
    static func run<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        // An unstructured task, because a child task would be cancelled; the caller waits for it here.
        try await Task { try await body() }.value
    }
}

enum OperationTimeout {
    /// Runs `body`. When the time is over, `body` is cancelled and `otherwise` is thrown.
    static func run<Value: Sendable>(
        _ limit: Duration, otherwise error: ReaderError, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        guard let value = try await value(within: limit, body) else { throw error }
        return value
    }

    /// Runs `body`. When the time is over, `body` is cancelled and nil is returned.
    static func value<Value: Sendable>(
        within limit: Duration, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value? {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await body() }
            group.addTask {
                try await Task.sleep(for: limit)
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }
}

extension Duration {
    var inSeconds: Double { self / .seconds(1) }
}

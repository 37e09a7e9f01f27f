import CloverDBus

/// The making of a link to one reader.
struct BlueZConnection: Sendable {
    let link: BlueZLink
    /// Those that the reader may be known to, or heard by.
    let adapters: [BlueZAdapter]
    let power: BlueZPower
    /// An address or a name.
    let id: String

    /// Finds the reader, connects to it unless it is connected already, and begins to prepare it.
    /// - Parameter limit: for the search, and again for the link.
    func establish(within limit: Duration) async throws -> BlueZSession {
        let device: BlueZDevice
        if let known {
            device = known
        } else {
            device = try await found(within: limit)
        }
        guard let adapter = adapters.first(where: { $0.path == device.adapter }) else {
            throw ReaderError.unknownReader(id)
        }
        // A link that an earlier session left up, or another program made, is as good.
        if !device.isConnected {
            try await TimeAllowed.run(
                limit, otherwise: .timedOut(.connecting, reader: id, seconds: limit.inSeconds)
            ) { [self] in try await connect(device, adapter, within: limit) }
        }
        return BlueZSession(link: link, adapter: adapter, device: device, power: power, limit: limit)
    }

    private var known: BlueZDevice? {
        link.state.look(called)
    }

    /// The reader, where an adapter knows it: one that hears it before one that only remembers it.
    private func called(_ state: BlueZState) -> BlueZDevice? {
        let devices = adapters.flatMap { state.objects.devices(of: $0.path) }.filter { $0.isCalled(id) }
        return devices.first { $0.isConnected } ?? devices.first { $0.isLive } ?? devices.first
    }

    /// BlueZ forgets a device half a minute after it was heard, and connects to none that it does not know.
    private func found(within limit: Duration) async throws -> BlueZDevice {
        try await TimeAllowed.run(limit, otherwise: .unknownReader(id)) { [self] in
            try await BlueZDiscovery.run(link, adapters[...]) {
                try await link.state.next { state in
                    try power.check(adapters, in: state)
                    return called(state)
                }
            }
        }
    }

    private func connect(_ device: BlueZDevice, _ adapter: BlueZAdapter, within limit: Duration) async throws {
        do throws(DBusError) {
            _ = try await link.call(device.path, BlueZNames.device, "Connect", within: limit)
        } catch {
            // BlueZ goes on trying otherwise.
            try await Shielded.run { await link.disconnect(device.path) }
            let isGone = try await isGone(device, adapter)
            try power.check(adapter, in: link.state.look { $0 })
            if isGone { throw ReaderError.vanished(id) }
            throw BlueZFailure.error(error, during: .connecting, adapter: adapter.name, reader: id)
        }
        try await link.awaitConnection(of: device.path)
    }

    /// Whether the device went away. An answer can be here before the signals that were sent ahead of it are taken over,
    /// so they get a moment.
    private func isGone(_ device: BlueZDevice, _ adapter: BlueZAdapter) async throws -> Bool {
        do {
            return try await TimeAllowed.run(
                .milliseconds(500), otherwise: .timedOut(.connecting, reader: id, seconds: 0)
            ) { [self] in
                try await link.state.next { state in
                    try power.check(adapter, in: state)
                    return state.objects.device(device.path) == nil ? true : nil
                }
            }
        } catch ReaderError.timedOut {
            return false
        }
    }
}

extension BlueZLink {
    /// Waits until the picture has a connection that BlueZ has just answered for: the answer can be here before the signal
    /// that was sent ahead of it is taken over. A link that is lost in this moment is not waited for longer.
    ///
    /// BlueZ 5.66 sends no signal where it uses the link before the kernel has told it of the link (device_add_connection
    /// in src/device.c, which logs "is already connected"), so it is asked.
    func awaitConnection(of device: String) async throws {
        if state.look({ $0.objects.device(device)?.isConnected ?? false }) { return }
        try await refresh()
        do {
            try await TimeAllowed.run(
                .seconds(2), otherwise: .timedOut(.connecting, reader: nil, seconds: 0)
            ) { [self] in
                try await state.next { state in
                    if let end = state.end { throw end }
                    return state.objects.device(device)?.isConnected ?? false ? () : nil
                }
            }
        } catch ReaderError.timedOut {
            return
        }
    }

    /// Ends the link to a device, or the attempt to make one. Says nothing of failure: BlueZ refuses only where there is
    /// none.
    func disconnect(_ device: String) async {
        do throws(DBusError) {
            _ = try await call(device, BlueZNames.device, "Disconnect", within: .seconds(5))
        } catch {
            return
        }
    }
}

/// A connection to BlueZ over the system bus, with a picture of its objects that stays up to date. BlueZ takes back
/// discoveries and notifications, but not links, when it is closed.
final class BlueZLink: Sendable {
    let state: Mailbox<BlueZState>
    private let bus: Bus
    /// Follows BlueZ's signals; cancelled by ``close()``.
    private let pump: Task<Void, Never>

    /// For calls that BlueZ answers at once.
    static let patience = Duration.seconds(10)

    /// Connects, hears signals from then on, and asks what there is.
    /// - Parameters:
    ///   - variables: of the environment; see `BusAddress.system(variables:)`.
    ///   - onBus: called when the bus itself has answered, and BlueZ is asked.
    static func open(
        variables: [String: String], onBus: () -> Void = {}
    ) async throws -> BlueZLink {
        var hasBus = false
        do throws(DBusError) {
            let bus = try await Bus.open(BusAddress.system(variables: variables))
            // One stream, because only that has the order in which things happened.
            let signals = try await bus.signals(
                matchingAny: [
                    MatchRule(sender: BlueZNames.service),
                    MatchRule(
                        sender: BlueZNames.bus, path: BlueZNames.busPath, interface: BlueZNames.bus,
                        member: "NameOwnerChanged", firstArgument: BlueZNames.service),
                ], within: patience)
            hasBus = true
            onBus()
            return BlueZLink(bus, signals: signals, objects: try await objects(bus))
        } catch .timedOut {
            throw ReaderError.bluetoothSilent(isBus: !hasBus)
        } catch {
            throw BlueZFailure.error(error, during: .reachingBluetooth)
        }
    }

    private init(_ bus: Bus, signals: AsyncThrowingStream<DBusSignal, any Error>, objects: BlueZObjects) {
        self.bus = bus
        let state = Mailbox(BlueZState(objects))
        self.state = state
        pump = Task { await Self.follow(signals, into: state) }
    }

    deinit { close() }

    /// Ends the connection; whoever waits for the state hears that it ended.
    func close() {
        pump.cancel()
        bus.close()
    }

    /// Calls a method of BlueZ.
    func call(
        _ path: String, _ interface: String, _ member: String, _ arguments: [DBusValue] = [],
        within limit: Duration = patience
    ) async throws(DBusError) -> [DBusValue] {
        try await bus.call(
            destination: BlueZNames.service, path: path, interface: interface, member: member, arguments: arguments,
            within: limit)
    }

    /// Asks BlueZ anew what there is, where its signals do not tell, or not yet. Where it cannot be asked, the picture
    /// stays as it is, and has the reason soon.
    func refresh() async throws(CancellationError) {
        var isTaken = false
        // Where signals never pause, the picture is as new as they are.
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
            // A signal that overtook the answer may be newer.
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
            member: "GetManagedObjects", within: patience)
        guard let objects = BlueZObjects(managed: managed) else {
            throw .reply(name: "GetManagedObjects", text: "an answer that is no list of objects")
        }
        return objects
    }

    /// Signals that came before the list of objects are applied to it again; the last ones are as new as the list.
    private static func follow(
        _ signals: AsyncThrowingStream<DBusSignal, any Error>, into state: Mailbox<BlueZState>
    ) async {
        var end = ReaderError.noSystemBus(detail: "the connection was closed")
        do {
            for try await signal in signals { state.update { $0.apply(signal) } }
        } catch let error as DBusError {
            if let error = BlueZFailure.error(error, during: .reachingBluetooth) as? ReaderError { end = error }
        } catch {
            end = .noSystemBus(detail: "\(error)")
        }
        state.update { state in
            if state.end == nil { state.end = end }
        }
    }
}

/// Work that has to be carried out although the task around it is cancelled.
enum Shielded {
    /// Runs `body` in a task that nobody cancels, and waits for its end.
    static func run<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        // Bare, because a child would be cancelled; the caller waits for it here.
        try await Task { try await body() }.value
    }
}

/// Work that may take only so long.
enum TimeAllowed {
    /// Runs `body`; when the time is over it is cancelled, and `otherwise` is thrown.
    static func run<Value: Sendable>(
        _ limit: Duration, otherwise error: ReaderError, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await body() }
            group.addTask {
                try await Task.sleep(for: limit)
                return nil
            }
            defer { group.cancelAll() }
            guard let first = try await group.next(), let value = first else { throw error }
            return value
        }
    }
}

extension Duration {
    var inSeconds: Double { self / .seconds(1) }
}

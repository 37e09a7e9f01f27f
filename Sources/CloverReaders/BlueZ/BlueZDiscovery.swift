import CloverDBus

/// A discovery on one or more adapters, which is stopped however it ends.
struct BlueZDiscovery: Sendable {
    let link: BlueZLink
    let adapter: BlueZAdapter

    /// Low Energy only: readers use nothing else, and an inquiry for classic devices occupies the radio for ten seconds.
    private static let filter = DBusValue.variants(["Transport": .string("le")])

    /// Starts a discovery on each adapter, runs `body`, and stops the discoveries.
    static func run<Value>(
        _ link: BlueZLink, _ adapters: ArraySlice<BlueZAdapter>, _ body: () async throws -> Value
    ) async throws -> Value {
        guard let first = adapters.first else { return try await body() }
        return try await BlueZDiscovery(link: link, adapter: first).run {
            try await run(link, adapters.dropFirst(), body)
        }
    }

    func run<Value>(_ body: () async throws -> Value) async throws -> Value {
        try Task.checkCancellation()
        // Uncancelled, because a call that is cancelled halfway may or may not have been carried out.
        try await Uncancelled.run { try await start() }
        let result: Result<Value, any Error>
        do {
            result = .success(try await body())
        } catch {
            result = .failure(error)
        }
        try await Uncancelled.run { await stop() }
        return try result.get()
    }

    private func start() async throws {
        do throws(DBusError) {
            _ = try await link.call(adapter.path, BlueZNames.adapter, "SetDiscoveryFilter", [Self.filter])
            _ = try await link.call(adapter.path, BlueZNames.adapter, "StartDiscovery")
        } catch {
            throw BlueZErrorMapper.error(error, during: .startingDiscovery, adapter: adapter.name)
        }
    }

    private func stop() async {
        do throws(DBusError) {
            _ = try await link.call(adapter.path, BlueZNames.adapter, "StopDiscovery")
        } catch {
            // The discovery is already gone: the adapter was turned off, or BlueZ or the bus is gone. In every other case
            // BlueZ stops it when this client leaves the bus, which comes next.
        }
    }
}

/// Prepares a connected reader, and reports its events until it disconnects.
struct BlueZReaderMonitor: Sendable {
    let link: BlueZLink
    let adapter: BlueZAdapter
    let device: BlueZDevice
    let power: BlueZAdapterSelector
    /// The time limit until the reader is ready.
    let limit: Duration
    let tell: @Sendable (ReaderEvent) -> Void

    /// BlueZ shows its own interface for a battery service a short time after the services.
    private static let batteryTimeout = Duration.seconds(3)

    /// Maximum number of attempts until a connection lasts.
    private static let attempts = 3

    /// Returns after the reader has disconnected.
    func run() async throws {
        tell(.state(.initializing))
        try await OperationTimeout.run(
            limit, otherwise: .timedOut(.resolvingServices, reader: device.address, seconds: limit.inSeconds)
        ) { [self] in
            try await resolveServices()
            // BlueZ reports that the services are known before it reports which they are.
            try await link.refresh()
        }
        let objects = link.state.look(\.objects)
        tell(.details(try await BlueZInformation(link: link, device: device.path).read(objects)))
        let level = objects.characteristic(
            BlueZNames.batteryLevel, of: BlueZNames.batteryService, in: device.path)
        var lastReported = try await battery(level)
        if let lastReported { tell(.battery(lastReported)) }
        tell(.state(.ready))
        while true {
            let last = lastReported
            let next: Int? = try await link.state.next { state in
                guard try isLinked(state) else { return .some(nil) }
                guard let now = charge(state.objects, level), now != last else { return nil }
                return now
            }
            guard let next else { break }
            lastReported = next
            tell(.battery(next))
        }
        tell(.state(.disconnected))
    }

    /// Waits until BlueZ knows the reader's services. The first connection is often lost before that, and is then made
    /// again.
    private func resolveServices() async throws {
        for attempt in 1...Self.attempts {
            do {
                return try await link.state.next { state in
                    try check(state, during: .resolvingServices).areServicesResolved ? () : nil
                }
            } catch let error as ReaderError {
                guard case .connectionLost = error, attempt < Self.attempts else { throw error }
            }
            do throws(DBusError) {
                _ = try await link.call(device.path, BlueZNames.device, "Connect", within: limit)
            } catch {
                throw BlueZErrorMapper.error(error, during: .connecting, adapter: adapter.name, reader: device.address)
            }
            try await link.waitForConnection(of: device.path)
        }
    }

    /// Whether the reader is still connected; throws the cause if the connection was lost for a known one.
    private func isLinked(_ state: BlueZState) throws -> Bool {
        try power.check(adapter, in: state)
        guard let now = state.objects.device(device.path) else { throw ReaderError.vanished(device.address) }
        return now.isConnected
    }

    /// The device, which must be connected.
    private func check(_ state: BlueZState, during operation: ReaderOperation) throws -> BlueZDevice {
        guard try isLinked(state), let now = state.objects.device(device.path) else {
            throw ReaderError.connectionLost(device.address, during: operation)
        }
        return now
    }

    /// The battery level at the start; nil if the reader does not report one.
    private func battery(_ level: String?) async throws -> Int? {
        if let known = link.state.look({ charge($0.objects, nil) }) { return known }
        if let level {
            let value = try await BlueZInformation(link: link, device: device.path).value(level)
            await notify(level)
            if let percent = value?.first.flatMap({ BlueZDevice.percent(Int64($0)) }) { return percent }
        }
        let promises = link.state.look { $0.objects.device(device.path)?.services.contains(BlueZNames.batteryService) }
        guard promises ?? false else { return nil }
        return try await OperationTimeout.value(within: Self.batteryTimeout) { [self] in
            try await link.state.next { state in
                _ = try check(state, during: .initializing)
                return charge(state.objects, level)
            }
        }
    }

    /// The battery level that BlueZ shows, or the last value of the characteristic.
    private func charge(_ objects: BlueZObjects, _ level: String?) -> Int? {
        if let percent = objects.device(device.path)?.battery { return percent }
        return level.flatMap(objects.value)?.first.flatMap { BlueZDevice.percent(Int64($0)) }
    }

    /// Subscribes to changes. A reader whose level can only be read refuses, and is read just once.
    private func notify(_ level: String) async {
        do throws(DBusError) {
            _ = try await link.call(level, BlueZNames.gattCharacteristic, "StartNotify")
        } catch {
            return
        }
    }
}

import CloverDBus

/// One discovery of one adapter, or one of each of several, which is stopped however it ends.
struct BlueZDiscovery: Sendable {
    let link: BlueZLink
    let adapter: BlueZAdapter

    /// Low Energy only: a reader is nothing else, and an inquiry for classic devices takes the radio for ten seconds.
    private static let filter = DBusValue.variants(["Transport": .string("le")])

    /// Starts a discovery of each adapter, runs `body`, stops them.
    static func run<Value>(
        _ link: BlueZLink, _ adapters: ArraySlice<BlueZAdapter>, _ body: () async throws -> Value
    ) async throws -> Value {
        guard let first = adapters.first else { return try await body() }
        return try await BlueZDiscovery(link: link, adapter: first).run {
            try await run(link, adapters.dropFirst(), body)
        }
    }

    /// Starts the discovery, runs `body`, stops the discovery.
    func run<Value>(_ body: () async throws -> Value) async throws -> Value {
        try Task.checkCancellation()
        // Shielded, because nobody could tell whether a call that was cancelled half-way had been carried out.
        try await Shielded.run { try await start() }
        let result: Result<Value, any Error>
        do {
            result = .success(try await body())
        } catch {
            result = .failure(error)
        }
        try await Shielded.run { await stop() }
        return try result.get()
    }

    private func start() async throws {
        do throws(DBusError) {
            _ = try await link.call(adapter.path, BlueZNames.adapter, "SetDiscoveryFilter", [Self.filter])
            _ = try await link.call(adapter.path, BlueZNames.adapter, "StartDiscovery")
        } catch {
            throw BlueZFailure.error(error, during: .startingDiscovery, adapter: adapter.name)
        }
    }

    private func stop() async {
        do throws(DBusError) {
            _ = try await link.call(adapter.path, BlueZNames.adapter, "StopDiscovery")
        } catch {
            // There is none any more: the adapter was turned off, or BlueZ or the bus is gone. In every other case BlueZ
            // stops it when it sees us leave the bus, which comes next.
        }
    }
}

/// Prepares a connected reader, and tells what happens to it until it is gone.
struct BlueZFollower: Sendable {
    let link: BlueZLink
    let adapter: BlueZAdapter
    let device: BlueZDevice
    let power: BlueZPower
    /// For what the reader does before it is ready.
    let limit: Duration
    let tell: @Sendable (ReaderEvent) -> Void

    /// A battery service of which BlueZ makes its own interface is seen a moment after the services.
    private static let batteryPatience = Duration.seconds(3)

    /// Links that are tried until one stays.
    private static let attempts = 3

    /// Returns after the reader left.
    func run() async throws {
        tell(.state(.initializing))
        try await TimeAllowed.run(
            limit, otherwise: .timedOut(.resolvingServices, reader: device.address, seconds: limit.inSeconds)
        ) { [self] in
            try await resolveServices()
            // BlueZ tells that it knows the services before it tells which.
            try await link.refresh()
        }
        let objects = link.state.look(\.objects)
        tell(.details(try await BlueZInformation(link: link, device: device.path).read(objects)))
        let level = objects.characteristic(
            BlueZNames.batteryLevel, of: BlueZNames.batteryService, in: device.path)
        var told = try await battery(level)
        if let told { tell(.battery(told)) }
        tell(.state(.ready))
        while true {
            let last = told
            let next: Int? = try await link.state.next { state in
                guard try isLinked(state) else { return .some(nil) }
                guard let now = charge(state.objects, level), now != last else { return nil }
                return now
            }
            guard let next else { break }
            told = next
            tell(.battery(next))
        }
        tell(.state(.disconnected))
    }

    /// Waits until BlueZ knows the reader's services. A first link is easily lost before that, and made again then.
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
                throw BlueZFailure.error(error, during: .connecting, adapter: adapter.name, reader: device.address)
            }
            try await link.awaitConnection(of: device.path)
        }
    }

    /// Whether the link still stands; how it was lost otherwise, where that is more than its end.
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

    /// The charge at the beginning; nil for a reader that tells none.
    private func battery(_ level: String?) async throws -> Int? {
        if let known = link.state.look({ charge($0.objects, nil) }) { return known }
        if let level {
            let value = try await BlueZInformation(link: link, device: device.path).value(level)
            await notify(level)
            if let percent = value?.first.flatMap({ BlueZDevice.percent(Int64($0)) }) { return percent }
        }
        let promises = link.state.look { $0.objects.device(device.path)?.services.contains(BlueZNames.batteryService) }
        guard promises ?? false else { return nil }
        do {
            return try await TimeAllowed.run(
                Self.batteryPatience, otherwise: .timedOut(.initializing, reader: nil, seconds: 0)
            ) { [self] in
                try await link.state.next { state in
                    _ = try check(state, during: .initializing)
                    return charge(state.objects, level)
                }
            }
        } catch ReaderError.timedOut {
            return nil
        }
    }

    /// BlueZ's own account of the charge, or what the characteristic said last.
    private func charge(_ objects: BlueZObjects, _ level: String?) -> Int? {
        if let percent = objects.device(device.path)?.battery { return percent }
        return level.flatMap(objects.value)?.first.flatMap { BlueZDevice.percent(Int64($0)) }
    }

    /// Asks to hear of changes. A reader whose level can only be read refuses, and is read once.
    private func notify(_ level: String) async {
        do throws(DBusError) {
            _ = try await link.call(level, BlueZNames.gattCharacteristic, "StartNotify")
        } catch {
            return
        }
    }
}

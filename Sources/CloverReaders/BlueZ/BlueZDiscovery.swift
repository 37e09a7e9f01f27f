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

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

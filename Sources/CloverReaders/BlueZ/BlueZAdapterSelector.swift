import CLinux
import CloverDBus
import Glibc

/// Selects the adapters to use, and makes sure that they are on.
struct BlueZAdapterSelector: Sendable {
    /// A name such as `hci0`, or an address; nil selects all adapters that are on, or else the first one.
    let adapter: String?
    let powersOnAdapter: Bool
    let radio: RfkillState

    /// The selected adapters, all of them on; at least one.
    func usableAdapters(_ link: BlueZLink) async throws -> [BlueZAdapter] {
        let adapters = link.state.look(\.objects.adapters)
        let chosen = adapter.map { name in adapters.filter { $0.isCalled(name) } } ?? adapters
        let powered = chosen.filter(\.isPowered)
        if !powered.isEmpty { return powered }
        guard let first = chosen.first else { throw ReaderError.noAdapter(named: adapter) }
        return [try await turnOn(first, link)]
    }

    private func turnOn(_ chosen: BlueZAdapter, _ link: BlueZLink) async throws -> BlueZAdapter {
        try refuseBlocked(chosen)
        guard powersOnAdapter else { throw ReaderError.adapterOff(chosen.name) }
        do throws(DBusError) {
            _ = try await link.call(
                chosen.path, BlueZNames.properties, "Set",
                [.string(BlueZNames.adapter), .string("Powered"), .variant(.bool(true))])
        } catch {
            try refuseBlocked(chosen)
            throw BlueZErrorMapper.error(error, during: .poweringOn, adapter: chosen.name)
        }
        // The reply arrives when the adapter is on; the signal may arrive slightly later.
        return try await OperationTimeout.run(
            BlueZLink.timeout, otherwise: .timedOut(.poweringOn, reader: nil, seconds: BlueZLink.timeout.inSeconds)
        ) {
            try await link.state.next { state in
                if let end = state.end { throw end }
                guard let adapter = state.objects.adapter(chosen.path) else {
                    throw ReaderError.noAdapter(named: chosen.name)
                }
                return adapter.isPowered ? adapter : nil
            }
        }
    }

    /// Throws if one of these adapters, which were on, can no longer be used.
    func check(_ adapters: [BlueZAdapter], in state: BlueZState) throws {
        for adapter in adapters { try check(adapter, in: state) }
    }

    /// Throws if this adapter, which was on, can no longer be used.
    func check(_ adapter: BlueZAdapter, in state: BlueZState) throws {
        if let end = state.end { throw end }
        guard let now = state.objects.adapter(adapter.path) else { throw ReaderError.noAdapter(named: adapter.name) }
        guard !now.isPowered else { return }
        try refuseBlocked(now)
        throw ReaderError.adapterOff(adapter.name)
    }

    private func refuseBlocked(_ adapter: BlueZAdapter) throws {
        switch radio.block(of: adapter.name) {
        case .hard: throw ReaderError.adapterBlocked(adapter.name, isHard: true)
        case .soft: throw ReaderError.adapterBlocked(adapter.name, isHard: false)
        case nil: if adapter.isBlocked { throw ReaderError.adapterBlocked(adapter.name, isHard: false) }
        }
    }
}

/// Reads whether rfkill(8) blocks an adapter, from the kernel's files in /sys/class/rfkill
/// (Documentation/ABI/stable/sysfs-class-rfkill of Linux).
struct RfkillState: Sendable {
    enum Block: Sendable, Equatable {
        /// By software: `rfkill unblock bluetooth` unblocks it.
        case soft
        /// By a hardware switch or key.
        case hard
    }

    private let folder: String

    init(folder: String = "/sys/class/rfkill") {
        self.folder = folder
    }

    /// Returns nil if the adapter is not blocked or its state is unknown.
    func block(of adapter: String) -> Block? {
        guard let directory = opendir(folder) else { return nil }
        defer { closedir(directory) }
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
            }
            guard name.hasPrefix("rfkill"), read(name, "name") == adapter else { continue }
            if read(name, "hard") == "1" { return .hard }
            if read(name, "soft") == "1" { return .soft }
        }
        return nil
    }

    /// The single short line of a file; nil if it cannot be read, for example because there is no rfkill.
    private func read(_ entry: String, _ file: String) -> String? {
        let descriptor = open("\(folder)/\(entry)/\(file)", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 128)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count > 0 else { return nil }
        return String(decoding: bytes.prefix(count).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
}

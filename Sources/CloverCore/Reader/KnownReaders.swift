import CloverAuth
package import CloverReaders
import CloverSystem

/// The readers that were ever connected.
package struct KnownReaders: Sendable {
    private let environment: CommandEnvironment

    package init(_ environment: CommandEnvironment) {
        self.environment = environment
    }

    package static func key(_ reader: Reader) -> String { "\(reader.transport.rawValue) \(reader.id)" }

    /// All known readers, most recently connected first.
    package func all() async throws -> [KnownReader] {
        let store = try store()
        return try await DedicatedThread.run { try store.all() }
    }

    package func keys() async throws -> Set<String> {
        Set(try await all().map { Self.key($0.reader) })
    }

    /// The known reader with this id or name; nil if there is none.
    ///
    /// - Parameter transport: only readers connected by this transport; nil for all.
    /// - Throws: `ReaderFault.severalReaders`.
    package func reader(named word: String, by transport: ReaderTransport? = nil) async throws -> KnownReader? {
        // Several entries may be one reader by different transports; the most recent one counts.
        try await readers(named: word, by: transport).first
    }

    package func forget(_ readers: [KnownReader]) async throws {
        let store = try store()
        try await DedicatedThread.run { for known in readers { _ = try store.forget(known.reader) } }
    }

    /// The entries of one reader, one for each transport, most recent first.
    package func readers(named word: String, by transport: ReaderTransport? = nil) async throws -> [KnownReader] {
        let store = try store()
        let found = try await DedicatedThread.run { try store.named(word) }
            .filter { transport == nil || $0.reader.transport == transport }
        // An exact id takes precedence over a name.
        let exact = found.filter { $0.reader.id.lowercased() == word.lowercased() }
        if !exact.isEmpty { return exact }
        let ids = found.map(\.reader.id)
        guard Set(ids).count <= 1 else { throw ReaderFault.severalReaders(word, ids: ids) }
        return found
    }

    private func store() throws -> ReaderStore { ReaderStore(directory: try environment.stateDirectory()) }
}

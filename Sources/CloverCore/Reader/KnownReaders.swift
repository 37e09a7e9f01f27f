import CloverAuth
package import CloverReaders
import CloverThreads

/// The readers that were connected once.
package struct KnownReaders: Sendable {
    private let environment: CommandEnvironment

    package init(_ environment: CommandEnvironment) {
        self.environment = environment
    }

    static func key(_ reader: Reader) -> String { "\(reader.transport.rawValue) \(reader.id)" }

    /// The last connected first.
    package func all() async throws -> [KnownReader] {
        let store = try store()
        return try await DedicatedThread.run { try store.all() }
    }

    func keys() async throws -> Set<String> {
        Set(try await all().map { Self.key($0.reader) })
    }

    func note(_ reader: Reader) async throws {
        let store = try store()
        let now = environment.clock.wall()
        try await DedicatedThread.run { try store.note(reader, connectedAt: now) }
    }

    /// The one that goes by this word among those that were connected once; nil when none does.
    /// - Parameter transport: only those that were reached by it; nil for all.
    /// - Throws: `ReaderFault.severalReaders`.
    func reader(named word: String, by transport: ReaderTransport? = nil) async throws -> KnownReader? {
        // Several may be one reader by different ways; the last way counts.
        try await readers(named: word, by: transport).first
    }

    /// Forgets readers by their ids or names, by whatever they were reached.
    /// - Throws: `ReaderError.unknownReader` for the first that is not known; nothing is forgotten then.
    package func forget(_ words: [String]) async throws -> [KnownReader] {
        var found: [KnownReader] = []
        for word in words {
            let readers = try await readers(named: word, by: nil)
            if readers.isEmpty { throw ReaderError.unknownReader(word) }
            found += readers.filter { !found.contains($0) }
        }
        return try await forget(found)
    }

    /// Forgets all of them.
    package func forgetAll() async throws -> [KnownReader] {
        try await forget(try await all())
    }

    private func forget(_ readers: [KnownReader]) async throws -> [KnownReader] {
        let store = try store()
        try await DedicatedThread.run { for known in readers { _ = try store.forget(known.reader) } }
        return readers
    }

    /// What was kept of one reader, once for each way by which it was reached, the last first.
    private func readers(named word: String, by transport: ReaderTransport?) async throws -> [KnownReader] {
        let store = try store()
        let found = try await DedicatedThread.run { try store.named(word) }
            .filter { transport == nil || $0.reader.transport == transport }
        // An id says more than a name.
        let exact = found.filter { $0.reader.id.lowercased() == word.lowercased() }
        if !exact.isEmpty { return exact }
        let ids = found.map(\.reader.id)
        guard Set(ids).count <= 1 else { throw ReaderFault.severalReaders(word, ids: ids) }
        return found
    }

    private func store() throws -> ReaderStore { ReaderStore(directory: try environment.stateDirectory()) }
}

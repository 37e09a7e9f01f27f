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
    /// - Throws: `ReaderFault.severalReaders`.
    func reader(named word: String) async throws -> KnownReader? {
        let store = try store()
        let found = try await DedicatedThread.run { try store.named(word) }
        // An id says more than a name.
        if let exact = found.first(where: { $0.reader.id.lowercased() == word.lowercased() }) { return exact }
        guard found.count <= 1 else {
            throw ReaderFault.severalReaders(word, ids: found.map(\.reader.id))
        }
        return found.first
    }

    /// Forgets readers by their ids or names.
    /// - Throws: `ReaderError.unknownReader` for the first that is not known; nothing is forgotten then.
    package func forget(_ words: [String]) async throws -> [KnownReader] {
        var found: [KnownReader] = []
        for word in words {
            guard let reader = try await reader(named: word) else { throw ReaderError.unknownReader(word) }
            found.append(reader)
        }
        let store = try store()
        let forgotten = found
        try await DedicatedThread.run { for known in forgotten { _ = try store.forget(known.reader) } }
        return found
    }

    private func store() throws -> ReaderStore { ReaderStore(directory: try environment.stateDirectory()) }
}

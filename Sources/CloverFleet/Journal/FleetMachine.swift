import CloverPayments
import CloverSystem

/// What a machine keeps in its state directory although the journal is in a database: by which name the journal knows it, and
/// outcomes that the database could not record. All methods block.
struct FleetMachine: Sendable {
    private let state: StateDirectory

    private static let identifierName = "machine.json"
    static let outcomePrefix = "unrecorded-"
    private static let outcomeSuffix = ".json"
    private static let lockName = ".machine.lock"
    /// The most that an outcome may have, in bytes.
    private static let sizeLimit = 1 << 20

    init(_ state: StateDirectory) {
        self.state = state
    }

    /// A random name of this machine's state directory, made the first time.
    func identifier() throws -> String {
        if let known = try knownIdentifier() { return known }
        let directory = try state.prepare()
        let lock = try FileLock.acquire(Self.lockName, in: directory)
        if let known = try knownIdentifier() { return known }
        let made = (0..<16).map { _ in UInt8.random(in: 0...255) }.hexadecimalDigits
        try AtomicFile.replace(Self.identifierName, in: directory, with: Array("\"\(made)\"\n".utf8), holding: lock)
        return made
    }

    /// Nil if this machine has not recorded anything yet.
    func knownIdentifier() throws -> String? {
        try read(Self.identifierName).map { $0.filter(\.isHexDigit) }
    }

    /// An outcome that the database does not have; nil if there is none.
    func keptOutcome(of id: String) throws -> String? { try read(Self.name(id)) }

    /// The IDs of the operations that have one.
    func keptOutcomes() throws -> [String] {
        guard let directory = try state.existing() else { return [] }
        return try directory.names().sorted()
            .filter { $0.hasPrefix(Self.outcomePrefix) && $0.hasSuffix(Self.outcomeSuffix) }
            .map { String($0.dropFirst(Self.outcomePrefix.count).dropLast(Self.outcomeSuffix.count)) }
    }

    /// Replaces the outcome; it is on disk when this returns.
    func keep(_ outcome: String, of id: String) throws {
        let directory = try state.prepare()
        let lock = try FileLock.acquire(Self.lockName, in: directory)
        try AtomicFile.replace(Self.name(id), in: directory, with: Array(outcome.utf8), holding: lock)
    }

    func forgetOutcome(of id: String) throws {
        guard let directory = try state.existing(), try directory.kind(of: Self.name(id)) != nil else { return }
        let lock = try FileLock.acquire(Self.lockName, in: directory)
        _ = try AtomicFile.remove(Self.name(id), in: directory, holding: lock)
    }

    /// IDs are letters, digits and `_`.
    static func name(_ id: String) -> String { outcomePrefix + id.filter { $0 != "/" } + outcomeSuffix }

    private func read(_ name: String) throws -> String? {
        guard let directory = try state.existing() else { return nil }
        return try PrivateFile.read(name, in: directory, limit: Self.sizeLimit).map {
            String(decoding: $0, as: UTF8.self)
        }
    }
}

package import CloverStorage
import CloverThreads

/// Names that a person gives to credentials, in `profiles.json` of the state directory. A name may stand for a
/// credential that is not there any more; nothing here looks.
///
/// Writers take the kernel lock on `profiles.json.lock`. A file that cannot be read is refused and left as it is.
package struct ProfileBook: Sendable {
    static let name = "profiles.json"

    private let state: StateDirectory

    /// The book in `state`. Nothing is opened, and nothing is created before the first `set`.
    package init(state: StateDirectory) {
        self.state = state
    }

    /// Whether this can be a profile's name: 1 to 64 ASCII letters, digits, `-`, `_` and `.`, the first of them neither
    /// `.` nor `-`, so that it is never taken for a hidden file or an option.
    package static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text.utf8.first != UInt8(ascii: ".")
            && text.utf8.first != UInt8(ascii: "-")
            && text.utf8.allSatisfy { PercentCoding.isUnreserved($0) && $0 != UInt8(ascii: "~") }
    }

    /// - Throws: `.invalidProfile`.
    static func check(_ name: String) throws(CredentialError) {
        guard isName(name) else { throw .invalidProfile(name) }
    }

    /// All profiles.
    package func all() async throws(CredentialError) -> [String: CredentialKey] {
        try await DedicatedThread.run { () throws(CredentialError) in
            let directory = try CredentialError.wrapping { () throws(StorageError) in try state.existing() }
            guard let directory else { return [:] }
            return try read(in: directory)
        }
    }

    /// What the profile stands for; nil when there is none of this name.
    package func key(named name: String) async throws(CredentialError) -> CredentialKey? {
        try Self.check(name)
        return try await all()[name]
    }

    /// Lets `name` stand for `key`, whatever it stood for.
    package func set(_ name: String, _ key: CredentialKey) async throws(CredentialError) {
        try Self.check(name)
        try await change { $0[name] = key }
    }

    /// Forgets a name.
    ///
    /// - Returns: false when there was none.
    package func remove(_ name: String) async throws(CredentialError) -> Bool {
        guard try await key(named: name) != nil else { return false }
        return try await change { $0.removeValue(forKey: name) != nil }
    }

    /// Forgets every name of `key`.
    ///
    /// - Returns: those names, sorted.
    @discardableResult
    package func removeAll(_ key: CredentialKey) async throws(CredentialError) -> [String] {
        guard try await all().values.contains(key) else { return [] }
        return try await change { profiles in
            let names = profiles.filter { $0.value == key }.keys.sorted()
            for name in names { profiles[name] = nil }
            return names
        }
    }

    private func change<Value: Sendable>(
        _ body: @escaping @Sendable (inout [String: CredentialKey]) -> Value
    ) async throws(CredentialError) -> Value {
        try await DedicatedThread.run { () throws(CredentialError) in
            let directory = try CredentialError.wrapping { () throws(StorageError) in try state.prepare() }
            let lock: FileLock
            do throws(StorageError) {
                lock = try FileLock.acquire(Self.name + ".lock", in: directory)
            } catch {
                throw .storage(error)
            }
            let before = try read(in: directory)
            var profiles = before
            let value = body(&profiles)
            if profiles == before { return value }
            let bytes = try ProfilesDocument.encode(profiles)
            do throws(StorageError) {
                try AtomicFile.replace(Self.name, in: directory, with: bytes, holding: lock)
            } catch {
                throw .storage(error)
            }
            return value
        }
    }

    /// The same as `all`, in an open directory. Blocks.
    func read(in directory: borrowing OpenDirectory) throws(CredentialError) -> [String: CredentialKey] {
        let bytes: [UInt8]?
        do {
            bytes = try PrivateFile.read(Self.name, in: directory, rule: .own, limit: CredentialFiles.sizeLimit)
        } catch {
            throw .storage(error)
        }
        guard let bytes else { return [:] }
        return try ProfilesDocument.decode(bytes, path: directory.path(of: Self.name))
    }
}

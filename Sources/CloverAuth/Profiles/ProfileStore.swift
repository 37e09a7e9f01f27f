package import CloverSystem
import FoundationEssentials

/// Names that the user gives to credentials, in `profiles.json` of the state directory. A name may refer to a
/// credential that no longer exists; this type does not check.
///
/// Writers take the kernel lock on `profiles.json.lock`. An unreadable file is refused and left unchanged.
package struct ProfileStore: Sendable {
    static let name = "profiles.json"

    private let state: StateDirectory

    /// The profiles in `state`. Nothing is opened, and nothing is created before the first `set`.
    package init(state: StateDirectory) {
        self.state = state
    }

    /// Whether this is a valid profile name: 1 to 64 ASCII letters, digits, `-`, `_` and `.`, not starting with `.` or
    /// `-`, so that it cannot be taken for a hidden file or an option.
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

    /// The key of the profile; nil if there is no profile of this name.
    package func key(named name: String) async throws(CredentialError) -> CredentialKey? {
        try Self.check(name)
        return try await all()[name]
    }

    /// Sets the key of profile `name`, replacing any previous one.
    package func set(_ name: String, _ key: CredentialKey) async throws(CredentialError) {
        try Self.check(name)
        try await change { $0[name] = key }
    }

    /// Removes a profile.
    ///
    /// - Returns: false if there was none.
    package func remove(_ name: String) async throws(CredentialError) -> Bool {
        guard try await key(named: name) != nil else { return false }
        return try await change { $0.removeValue(forKey: name) != nil }
    }

    /// Removes all profiles of `key`.
    ///
    /// - Returns: their names, sorted.
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

    /// Reads all profiles from an open directory. Blocks.
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

/// Profiles as JSON, version 1: `{"version":1,"profiles":{"downtown":{"environment":"us","merchantId":"...",
/// "appId":"..."}}}`. It contains no secret.
enum ProfilesDocument {
    static let version = 1

    /// The file's bytes, ending in a newline.
    static func encode(_ profiles: [String: CredentialKey]) throws(CredentialError) -> [UInt8] {
        try JSONDocument.encode(
            Fields(
                version: version,
                profiles: profiles.mapValues {
                    Profile(environment: $0.environment, merchantId: $0.merchantID, appId: $0.appID)
                }))
    }

    /// Parses the file.
    ///
    /// - Parameter path: for errors only.
    static func decode(_ bytes: [UInt8], path: String) throws(CredentialError) -> [String: CredentialKey] {
        let fields: Fields = try JSONDocument.decode(bytes, version: version, path: path)
        var profiles: [String: CredentialKey] = [:]
        for (name, profile) in fields.profiles {
            guard ProfileStore.isName(name) else { throw .malformed(path: path, field: "profiles") }
            profiles[name] = try CredentialKey(
                stored: profile.environment, merchantID: profile.merchantId, appID: profile.appId, path: path)
        }
        return profiles
    }

    private struct Fields: Codable {
        let version: Int
        let profiles: [String: Profile]
    }

    private struct Profile: Codable {
        let environment: String
        let merchantId: String
        let appId: String?
    }
}

package import CloverSystem

/// Where the names of credentials are kept.
package protocol ProfileNames: Sendable {
    func all() async throws(CredentialError) -> [String: CredentialKey]

    /// Changes the names, one process at a time. `body` may run more than once; its last result counts.
    func change<Value: Sendable>(
        _ body: @escaping @Sendable (inout [String: CredentialKey]) -> Value
    ) async throws(CredentialError) -> Value
}

/// Names that the user gives to credentials. A name may refer to a credential that no longer exists; this type does not
/// check.
package struct ProfileStore: Sendable {
    private let names: any ProfileNames

    package init(_ names: any ProfileNames) {
        self.names = names
    }

    /// The names in `profiles.json` of the state directory. Opens nothing; nothing is created before the first `set`.
    package init(state: StateDirectory) {
        names = ProfileFile(state: state)
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

    package func all() async throws(CredentialError) -> [String: CredentialKey] { try await names.all() }

    /// The key of the profile; nil if there is no profile of this name.
    package func key(named name: String) async throws(CredentialError) -> CredentialKey? {
        try Self.check(name)
        return try await all()[name]
    }

    /// Sets the key of profile `name`, replacing any previous one.
    package func set(_ name: String, _ key: CredentialKey) async throws(CredentialError) {
        try Self.check(name)
        try await names.change { $0[name] = key }
    }

    /// Removes a profile.
    ///
    /// - Returns: false if there was none.
    package func remove(_ name: String) async throws(CredentialError) -> Bool {
        guard try await key(named: name) != nil else { return false }
        return try await names.change { $0.removeValue(forKey: name) != nil }
    }

    /// Removes all profiles of `key`.
    ///
    /// - Returns: their names, sorted.
    @discardableResult
    package func removeAll(_ key: CredentialKey) async throws(CredentialError) -> [String] {
        guard try await all().values.contains(key) else { return [] }
        return try await names.change { profiles in
            let names = profiles.filter { $0.value == key }.keys.sorted()
            for name in names { profiles[name] = nil }
            return names
        }
    }
}

/// The names in `profiles.json` of the state directory.
///
/// Writers take the kernel lock on `profiles.json.lock`. An unreadable file is refused and left unchanged.
struct ProfileFile: ProfileNames {
    static let name = "profiles.json"

    let state: StateDirectory

    func all() async throws(CredentialError) -> [String: CredentialKey] {
        try await DedicatedThread.run { () throws(CredentialError) in
            try CredentialError.storing(try state.refuseMoved())
            guard let directory = try CredentialError.storing(try state.existing()) else { return [:] }
            return try read(in: directory)
        }
    }

    func change<Value: Sendable>(
        _ body: @escaping @Sendable (inout [String: CredentialKey]) -> Value
    ) async throws(CredentialError) -> Value {
        try await DedicatedThread.run { () throws(CredentialError) in
            let directory = try CredentialError.storing(try state.prepare())
            let lock = try CredentialError.storing(try FileLock.acquire(Self.name + ".lock", in: directory))
            try CredentialError.storing(try state.refuseMoved())
            let before = try read(in: directory)
            var profiles = before
            let value = body(&profiles)
            if profiles == before { return value }
            let bytes = try JSONDocument.encode(ProfilesDocument(profiles: profiles))
            try CredentialError.storing(try AtomicFile.replace(Self.name, in: directory, with: bytes, holding: lock))
            return value
        }
    }

    /// Reads all profiles from an open directory. Blocks.
    func read(in directory: borrowing OpenDirectory) throws(CredentialError) -> [String: CredentialKey] {
        let bytes = try CredentialError.storing(
            try PrivateFile.read(Self.name, in: directory, rule: .own, limit: CredentialFiles.sizeLimit))
        guard let bytes else { return [:] }
        let path = directory.path(of: Self.name)
        let document: ProfilesDocument = try JSONDocument.decode(bytes, path: path)
        guard document.profiles.keys.allSatisfy(ProfileStore.isName) else {
            throw .malformed(path: path, field: "profiles")
        }
        return document.profiles
    }
}

/// Profiles as JSON, version 1: `{"version":1,"profiles":{"downtown":{"environment":"us","merchantId":"...",
/// "appId":"..."}}}`. It contains no secret.
private struct ProfilesDocument: Codable {
    let profiles: [String: CredentialKey]
}

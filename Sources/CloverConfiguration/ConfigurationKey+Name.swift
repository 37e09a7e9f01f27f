import CloverAPI

extension ConfigurationKey {
    /// The key that a user named on the command line.
    ///
    /// - Throws: `.secretKey`, `.unknownKey` with the names that may be meant.
    package init(naming name: String) throws(ConfigurationError) {
        if let key = ConfigurationKey(rawValue: name) {
            self = key
            return
        }
        // Its value may have been typed in its place.
        if SecretShape.isSecretName(name) { throw .secretKey(name) }
        throw .unknownKey(name, near: Self.near(name, inProfile: false))
    }

    /// Names that may be meant by one that no key has.
    package static func near(_ name: String, inProfile: Bool) -> [String] {
        let keys = allCases.filter { !inProfile || $0.isPerProfile }.map(\.name)
        let near = NearestNames.of(name, among: inProfile ? keys : keys + [ConfigurationDocument.profilesName])
        return near.isEmpty ? related(to: name, among: keys) : near
    }

    /// Keys of which the name is a part, or which are a part of it, such as `zone` of `timezone`; else those that begin
    /// as it does, such as `retry` of `retries`.
    private static func related(to name: String, among keys: [String]) -> [String] {
        func plain(_ text: String) -> String { text.lowercased().filter { $0 != "_" && $0 != "-" } }
        // Less than that is in many words.
        let least = 4
        let wanted = plain(name)
        guard (least...64).contains(wanted.count) else { return [] }
        let parts = keys.filter { key in
            let other = plain(key)
            return other.count >= least && (other.contains(wanted) || wanted.contains(other))
        }
        if !parts.isEmpty { return Array(parts.prefix(3)) }
        return Array(
            keys.filter { key in
                let other = plain(key)
                return abs(other.count - wanted.count) <= 2 && zip(other, wanted).prefix { $0 == $1 }.count >= least
            }.prefix(3))
    }

    /// Checks a value that a user typed for this key.
    ///
    /// - Throws: `.wrongValue`.
    package func check(_ text: String) throws(ConfigurationError) {
        if SecretShape.looksSecret(text) { throw .wrongValue(self, nil) }
        guard facts.kind.accepts(text) else { throw .wrongValue(self, text) }
    }
}

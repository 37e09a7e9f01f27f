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
        return NearestNames.of(name, among: inProfile ? keys : keys + [ConfigurationDocument.profilesName])
    }

    /// Checks a value that a user typed for this key.
    ///
    /// - Throws: `.wrongValue`.
    package func check(_ text: String) throws(ConfigurationError) {
        if SecretShape.looksSecret(text) { throw .wrongValue(self, nil) }
        guard facts.kind.accepts(text) else { throw .wrongValue(self, text) }
    }
}

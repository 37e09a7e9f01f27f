package import CloverStorage

/// What can go wrong with the configuration file and the variables that go before it.
package enum ConfigurationError: Error, Equatable, Sendable {
    /// It cannot be written, or its place cannot be found.
    case storage(StorageError)
    /// It is there and cannot be read, or must not be trusted.
    case unreadable(StorageError)
    /// Bytes that are no UTF-8, from this place on.
    case notText(path: String, TextPlace)
    /// A character that no YAML may hold as it is, such as a control character.
    case forbiddenCharacter(path: String, TextPlace, Unicode.Scalar)
    /// Not YAML from this line on, and why in the parser's words.
    case notYAML(path: String, line: Int?, reason: String)
    /// What the file holds cannot be meant; never empty, in the order of the lines.
    case invalid(path: String, [ConfigurationProblem])
    /// A variable's value is none that it takes. The value is not shown where it looks like a secret.
    case wrongVariable(name: String, takes: ValueKind, String?)
    /// No key of this name was meant on the command line.
    case unknownKey(String, near: [String])
    /// A key under which only a secret could stand, on the command line.
    case secretKey(String)
    /// A value on the command line is none that the key takes; nil when it looks like a secret.
    case wrongValue(ConfigurationKey, String?)
    /// A profile cannot have this key.
    case onlyAtTop(ConfigurationKey)
    /// What is to be removed is not there.
    case notSet(String, profile: String?, path: String)
    /// Nothing says what this key's value is, and there is no default.
    case noValue(ConfigurationKey, profile: String?)
    /// The line is written in a way that is not changed by program.
    case notEditable(path: String, line: Int)
    /// The profile's sign-in is another one than the file says.
    case otherSignIn(profile: String, signedIn: String, key: ConfigurationKey, value: String, path: String, line: Int)
}

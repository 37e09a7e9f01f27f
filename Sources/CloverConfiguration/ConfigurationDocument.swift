package import CloverSystem

/// The content of the configuration file, with line numbers.
package struct ConfigurationDocument: Sendable, Equatable {
    package struct Entry: Sendable, Equatable {
        package let text: String
        /// Starting at 1.
        package let line: Int

        package init(text: String, line: Int) {
            self.text = text
            self.line = line
        }
    }

    package let path: String
    /// Settings of the top level, for all profiles.
    package private(set) var common: [ConfigurationKey: Entry] = [:]
    /// Settings of the profiles.
    package private(set) var profiles: [String: [ConfigurationKey: Entry]] = [:]
    /// Invalid entries, in line order; they are omitted above.
    package private(set) var problems: [ConfigurationProblem] = []

    /// The key that contains the profiles.
    static let profilesName = "profiles"

    /// Parses the text of a file.
    ///
    /// - Parameter path: for messages only.
    /// - Throws: `.notYAML`, `.forbiddenCharacter`. Invalid keys and values are in `problems`.
    package init(parsing text: String, path: String) throws(ConfigurationError) {
        self.path = path
        let outline = try ConfigurationOutline(parsing: text, path: path)
        guard let items = outline.items else {
            problems = [ConfigurationProblem(line: outline.line, kind: .notSection(nil))]
            return
        }
        for item in items {
            if item.name == Self.profilesName { readProfiles(item) } else { read(item, profile: nil) }
        }
        problems.sort { $0.line < $1.line }
    }

    /// The entry for a key: in the profile, or else at the top level.
    package func entry(_ key: ConfigurationKey, profile: String?) -> Entry? {
        if let profile, let entry = profiles[profile]?[key] { return entry }
        return common[key]
    }

    private mutating func readProfiles(_ item: ConfigurationOutline.Item) {
        if item.isEmpty { return }
        guard case .section(let sections) = item.value else {
            return report(item, .notSection(item.name))
        }
        for section in sections {
            guard ValueKind.profileName.accepts(section.name) else {
                report(section, .malformedProfile(section.name))
                continue
            }
            profiles[section.name] = [:]
            if section.isEmpty { continue }
            guard case .section(let items) = section.value else {
                report(section, .notSection(section.name))
                continue
            }
            for item in items { read(item, profile: section.name) }
        }
    }

    private mutating func read(_ item: ConfigurationOutline.Item, profile: String?) {
        guard let key = ConfigurationKey(rawValue: item.name) else {
            if SecretShape.isSecretName(item.name) { return report(item, .secretKey(item.name)) }
            return report(
                item, .unknownKey(item.name, near: ConfigurationKey.near(item.name, inProfile: profile != nil)))
        }
        if profile != nil, !key.isPerProfile { return report(item, .onlyAtTopLevel(key)) }
        if item.isEmpty { return report(item, .noValue(key)) }
        guard case .scalar(let scalar) = item.value else { return report(item, .notOneValue(key)) }
        if key.holdsSecret(scalar.text) { return report(item, .secretValue(key)) }
        guard key.facts.kind.accepts(scalar.text) else { return report(item, .wrongValue(key, scalar.text)) }
        let entry = Entry(text: scalar.text, line: item.line)
        if let profile { profiles[profile]?[key] = entry } else { common[key] = entry }
    }

    private mutating func report(_ item: ConfigurationOutline.Item, _ kind: ConfigurationProblem.Kind) {
        problems.append(ConfigurationProblem(line: item.line, kind: kind))
    }
}

/// An error in the configuration file or in the variables that override it.
package enum ConfigurationError: Error, Equatable, Sendable {
    /// The file cannot be written, or its location cannot be determined.
    case storage(StorageError)
    /// The file exists but cannot be read, or must not be trusted.
    case unreadable(StorageError)
    /// Bytes that are not UTF-8, starting at this place.
    case notText(path: String, TextPosition)
    /// A character that YAML does not allow unescaped, such as a control character.
    case forbiddenCharacter(path: String, TextPosition, Unicode.Scalar)
    /// Not YAML from this line on, with the parser's reason.
    case notYAML(path: String, line: Int?, reason: String)
    /// The file has invalid content; never empty, in line order.
    case invalid(path: String, [ConfigurationProblem])
    /// A variable has an invalid value. The value is hidden if it looks like a secret.
    case wrongVariable(name: String, takes: ValueKind, String?)
    /// The command line names an unknown key.
    case unknownKey(String, near: [String])
    /// The command line names a key whose value could only be a secret.
    case secretKey(String)
    /// The command line has an invalid value for the key; nil if it looks like a secret.
    case wrongValue(ConfigurationKey, String?)
    /// A profile cannot have this key.
    case onlyAtTopLevel(ConfigurationKey)
    /// The key to be removed is not set.
    case notSet(String, profile: String?, path: String)
    /// The key has no value anywhere, and no default.
    case noValue(ConfigurationKey, profile: String?)
    /// The line is written in a way that the program cannot edit.
    case notEditable(path: String, line: Int)
    /// The profile's sign-in differs from the setting in the file.
    case otherSignIn(profile: String, signedIn: String, key: ConfigurationKey, value: String, path: String, line: Int)
}

extension ConfigurationError {
    /// The line of the file that is not YAML, if known.
    var line: Int? {
        switch self {
        case .notYAML(_, let line, _): line
        case .forbiddenCharacter(_, let place, _): place.line
        default: nil
        }
    }

    /// Rethrows the error of a file operation as `.storage`.
    static func storing<Value: ~Copyable>(
        _ work: @autoclosure () throws(StorageError) -> Value
    ) throws(ConfigurationError) -> Value {
        do {
            return try work()
        } catch {
            throw .storage(error)
        }
    }
}

/// An invalid entry of the configuration file.
package struct ConfigurationProblem: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        /// No key has this name; `near` are similar ones.
        case unknownKey(String, near: [String])
        /// A key that is only valid at the top level.
        case onlyAtTopLevel(ConfigurationKey)
        /// The key does not accept this value.
        case wrongValue(ConfigurationKey, String)
        /// The key has no value.
        case noValue(ConfigurationKey)
        /// A list, or keys and values, where one value is expected.
        case notOneValue(ConfigurationKey)
        /// Keys and values are expected: at the top level for nil, under `profiles`, or in the profile of this name.
        case notSection(String?)
        /// Not a valid profile name.
        case malformedProfile(String)
        /// A key whose value could only be a secret. The value is not read.
        case secretKey(String)
        /// The value looks like a token or secret; it is not shown.
        case secretValue(ConfigurationKey)
    }

    /// Starting at 1.
    package let line: Int
    package let kind: Kind

    package init(line: Int, kind: Kind) {
        self.line = line
        self.kind = kind
    }
}

extension ConfigurationProblem: CustomStringConvertible {
    /// The problem without its line.
    package var description: String {
        switch kind {
        case .unknownKey(let name, _): "there is no key '\(name)'"
        case .onlyAtTopLevel(let key): "\(key.name) cannot be set in a profile; move it to the top level"
        case .wrongValue(let key, let text): "\(key.name) takes \(key.facts.kind.expectation), not '\(text)'"
        case .noValue(let key): "\(key.name) has no value"
        case .notOneValue(let key): "\(key.name) takes \(key.facts.kind.expectation), not a list or a section"
        case .notSection(nil): "expected keys with values, such as 'format: csv'"
        case .notSection(let name?): "'\(name)' takes keys with values, on separate lines below it"
        case .malformedProfile(let name): "'\(name)' is not a valid profile name"
        case .secretKey(let name): "'\(name)' is a secret, and this file must not contain secrets"
        case .secretValue(let key):
            "the value of \(key.name) looks like a token or a secret, which this file must not contain"
        }
    }
}

/// A place in a text.
package struct TextPosition: Sendable, Equatable {
    /// Starting at 1.
    package let line: Int
    /// Starting at 1, in Unicode scalars; broken ones count as one for each byte.
    package let column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    private mutating func pass(_ scalar: Unicode.Scalar) {
        self = scalar == "\n" ? TextPosition(line: line + 1, column: 1) : TextPosition(line: line, column: column + 1)
    }

    /// The place of the first byte that is not UTF-8; nil if there is none.
    static func ofInvalidUTF8(in bytes: [UInt8]) -> TextPosition? {
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        var place = TextPosition(line: 1, column: 1)
        while true {
            switch decoder.decode(&iterator) {
            case .scalarValue(let scalar): place.pass(scalar)
            case .error: return place
            case .emptyInput: return nil
            }
        }
    }

    /// The first character that YAML does not allow (YAML 1.1 section 4.1.1, as implemented by libyaml) and its place;
    /// nil if there is none.
    static func ofForbidden(in text: String) -> (TextPosition, Unicode.Scalar)? {
        var place = TextPosition(line: 1, column: 1)
        for scalar in text.unicodeScalars {
            guard isPermitted(scalar) else { return (place, scalar) }
            place.pass(scalar)
        }
        return nil
    }

    private static func isPermitted(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D, 0x20...0x7E, 0x85, 0xA0...0xD7FF, 0xE000...0xFFFD, 0x1_0000...0x10_FFFF:
            true
        default: false
        }
    }
}

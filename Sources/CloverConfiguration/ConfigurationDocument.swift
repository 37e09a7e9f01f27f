package import CloverStorage

/// What the configuration file says, with the lines where it says it.
package struct ConfigurationDocument: Sendable, Equatable {
    package struct Entry: Sendable, Equatable {
        package let text: String
        /// From 1.
        package let line: Int

        package init(text: String, line: Int) {
            self.text = text
            self.line = line
        }
    }

    package let path: String
    /// The top level: what counts for all profiles.
    package private(set) var common: [ConfigurationKey: Entry] = [:]
    /// What the profiles say themselves.
    package private(set) var profiles: [String: [ConfigurationKey: Entry]] = [:]
    /// What cannot be meant, in the order of the lines; such entries are left out above.
    package private(set) var problems: [ConfigurationProblem] = []

    /// The key under which the profiles stand.
    static let profilesName = "profiles"

    /// Reads the text of a file.
    ///
    /// - Parameter path: for messages only.
    /// - Throws: `.notYAML`, `.forbiddenCharacter`. What is wrong with keys and values is among `problems`.
    package init(parsing text: String, path: String) throws(ConfigurationError) {
        self.path = path
        let outline: ConfigurationOutline
        do throws(ConfigurationOutline.Fault) {
            outline = try ConfigurationOutline(parsing: text)
        } catch {
            throw error.error(path: path)
        }
        guard let items = outline.items else {
            problems = [ConfigurationProblem(line: outline.line, kind: .notSection(nil))]
            return
        }
        for item in items {
            if item.name == Self.profilesName { readProfiles(item) } else { read(item, profile: nil) }
        }
        problems.sort { $0.line < $1.line }
    }

    /// What the file says about a key: the profile first, then the top level.
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
        if profile != nil, !key.isPerProfile { return report(item, .onlyAtTop(key)) }
        if item.isEmpty { return report(item, .noValue(key)) }
        guard case .scalar(let scalar) = item.value else { return report(item, .notOneValue(key)) }
        if SecretShape.looksSecret(scalar.text) { return report(item, .secretValue(key)) }
        guard key.facts.kind.accepts(scalar.text) else { return report(item, .wrongValue(key, scalar.text)) }
        let entry = Entry(text: scalar.text, line: item.line)
        if let profile { profiles[profile]?[key] = entry } else { common[key] = entry }
    }

    private mutating func report(_ item: ConfigurationOutline.Item, _ kind: ConfigurationProblem.Kind) {
        problems.append(ConfigurationProblem(line: item.line, kind: kind))
    }
}

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

/// Something in the configuration file that cannot be meant.
package struct ConfigurationProblem: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        /// No key has this name; `near` are those that may be meant.
        case unknownKey(String, near: [String])
        /// A key that the top level alone has.
        case onlyAtTop(ConfigurationKey)
        /// The value is none that the key takes.
        case wrongValue(ConfigurationKey, String)
        /// The key has no value.
        case noValue(ConfigurationKey)
        /// A list, or keys and values, where one value is expected.
        case notOneValue(ConfigurationKey)
        /// Keys and values are expected: at the top for nil, under `profiles`, or in the profile of this name.
        case notSection(String?)
        /// The name of a profile is none that a profile can have.
        case malformedProfile(String)
        /// A key under which only a secret could stand. Its value is not looked at.
        case secretKey(String)
        /// The value is written as tokens and secrets are; it is not shown.
        case secretValue(ConfigurationKey)
    }

    /// From 1.
    package let line: Int
    package let kind: Kind

    package init(line: Int, kind: Kind) {
        self.line = line
        self.kind = kind
    }
}

extension ConfigurationProblem: CustomStringConvertible {
    /// Without the place.
    package var description: String {
        switch kind {
        case .unknownKey(let name, _): "there is no key '\(name)'"
        case .onlyAtTop(let key): "\(key.name) does not belong in a profile, but at the top"
        case .wrongValue(let key, let text): "\(key.name) takes \(key.facts.kind.expectation), not '\(text)'"
        case .noValue(let key): "\(key.name) has no value"
        case .notOneValue(let key): "\(key.name) takes \(key.facts.kind.expectation), not a list or a section"
        case .notSection(nil): "keys with values are expected, such as 'format: csv'"
        case .notSection(let name?): "'\(name)' takes keys with values, on lines of their own below it"
        case .malformedProfile(let name): "'\(name)' is no name for a profile"
        case .secretKey(let name): "'\(name)' is a secret, and secrets are not kept in this file"
        case .secretValue(let key):
            "the value of \(key.name) looks like a token or a secret, which are not kept in this file"
        }
    }
}

/// A place in a text.
package struct TextPlace: Sendable, Equatable {
    /// From 1.
    package let line: Int
    /// From 1, in Unicode scalars, of which broken ones count as one for each byte.
    package let column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// Of the first byte that belongs to no UTF-8; nil in a text that is whole.
    static func ofBrokenUTF8(in bytes: [UInt8]) -> TextPlace? {
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        var line = 1
        var column = 1
        while true {
            switch decoder.decode(&iterator) {
            case .scalarValue("\n"):
                line += 1
                column = 1
            case .scalarValue: column += 1
            case .error: return TextPlace(line: line, column: column)
            case .emptyInput: return nil
            }
        }
    }

    /// Of the first character that YAML does not permit (YAML 1.1 section 4.1.1, as libyaml has it), and that character;
    /// nil without one.
    static func ofForbidden(in text: String) -> (TextPlace, Unicode.Scalar)? {
        var line = 1
        var column = 1
        for scalar in text.unicodeScalars {
            guard isPermitted(scalar) else { return (TextPlace(line: line, column: column), scalar) }
            if scalar == "\n" {
                line += 1
                column = 1
            } else {
                column += 1
            }
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

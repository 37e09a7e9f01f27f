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

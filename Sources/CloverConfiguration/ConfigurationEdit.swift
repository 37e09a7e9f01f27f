/// A change of one value in the text of a configuration file. Everything else stays as it was, byte for byte: comments,
/// order, quotes.
///
/// The text is changed by lines, at the places that the parser names, and then parsed again: a change that did not do
/// exactly what it should, in braces for instance, is refused rather than written.
struct ConfigurationEdit {
    /// The text before the change.
    private let text: String
    /// The byte order mark that stood before it, which stays.
    private let mark: String
    /// The file, for messages.
    private let path: String
    private let outline: ConfigurationOutline

    init(_ text: String, path: String) throws(ConfigurationError) {
        self.text = ConfigurationLines.withoutMark(text)
        mark = self.text.unicodeScalars.count == text.unicodeScalars.count ? "" : "\u{FEFF}"
        self.path = path
        outline = try Self.outline(of: text, path: path)
    }

    /// The text with this value; `profile` nil is the top level.
    func setting(_ name: String, to value: String, profile: String?) throws(ConfigurationError) -> String {
        var lines = ConfigurationLines(text)
        let scalar = ConfigurationScalar.written(value)
        if let item = item(name, profile: profile) {
            try replace(item, by: scalar, in: &lines)
        } else {
            let place = try Insertion(of: name, profile: profile, outline, lines, path: path)
            lines.insert(place.lines(name, scalar), before: place.line)
        }
        var wanted = outline.leaves
        wanted[Self.keys(name, profile)] = value
        return try checked(lines, against: wanted, line: item(name, profile: profile)?.line)
    }

    /// The text without this key, and without its profile when that is then empty.
    ///
    /// - Throws: `.notSet` when it is not there.
    func removing(_ name: String, profile: String?) throws(ConfigurationError) -> String {
        guard let item = item(name, profile: profile) else {
            throw .notSet(name, profile: profile, path: path)
        }
        var lines = ConfigurationLines(text)
        guard case .scalar(let scalar) = item.value, scalar.line == item.line else {
            throw .notEditable(path: path, line: item.line)
        }
        var removed = [item.line]
        if let profile, let profiles = outline.items?.first(where: { $0.name == ConfigurationDocument.profilesName }),
            case .section(let sections) = profiles.value,
            let section = sections.first(where: { $0.name == profile }), case .section(let items) = section.value,
            items.count == 1
        {
            removed.append(section.line)
            if sections.count == 1 { removed.append(profiles.line) }
        }
        for line in removed { lines.remove(line) }
        var wanted = outline.leaves
        wanted[Self.keys(name, profile)] = nil
        return try checked(lines, against: wanted, line: item.line)
    }

    private func item(_ name: String, profile: String?) -> ConfigurationOutline.Item? {
        section(profile)?.first { $0.name == name }
    }

    private func section(_ profile: String?) -> [ConfigurationOutline.Item]? {
        guard let profile else { return outline.items }
        guard case .section(let sections)? = outline.item(ConfigurationDocument.profilesName)?.value,
            case .section(let items)? = sections.first(where: { $0.name == profile })?.value
        else { return nil }
        return items
    }

    private func replace(
        _ item: ConfigurationOutline.Item, by scalar: String, in lines: inout ConfigurationLines
    ) throws(ConfigurationError) {
        guard case .scalar(let old) = item.value, old.line == item.line,
            lines.replaceScalar(old, isEmpty: item.isEmpty && old.text.isEmpty, by: scalar)
        else { throw .notEditable(path: path, line: item.line) }
    }

    /// The new text, when it says what it should.
    private func checked(
        _ lines: ConfigurationLines, against wanted: [[String]: String], line: Int?
    ) throws(ConfigurationError) -> String {
        let result: ConfigurationOutline
        do throws(ConfigurationOutline.Fault) {
            result = try ConfigurationOutline(parsing: lines.text)
        } catch {
            throw .notEditable(path: path, line: line ?? error.line ?? 1)
        }
        guard result.items != nil, result.leaves == wanted else { throw .notEditable(path: path, line: line ?? 1) }
        return mark + lines.text
    }

    private static func keys(_ name: String, _ profile: String?) -> [String] {
        profile.map { [ConfigurationDocument.profilesName, $0, name] } ?? [name]
    }

    private static func outline(of text: String, path: String) throws(ConfigurationError) -> ConfigurationOutline {
        let outline: ConfigurationOutline
        do throws(ConfigurationOutline.Fault) {
            outline = try ConfigurationOutline(parsing: text)
        } catch {
            throw error.error(path: path)
        }
        guard outline.items != nil else {
            throw .invalid(path: path, [ConfigurationProblem(line: outline.line, kind: .notSection(nil))])
        }
        return outline
    }
}

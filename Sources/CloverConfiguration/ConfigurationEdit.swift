/// Changes one value in the text of a configuration file and leaves everything else unchanged, byte for byte: comments,
/// order, quotes.
///
/// The text is edited by lines, at the places that the parser reports, and then parsed again: an edit that did not do
/// exactly what it should, for example within braces, is refused rather than written.
struct ConfigurationEdit {
    /// The text before the change.
    private let text: String
    /// The byte order mark before the text, which is preserved.
    private let mark: String
    /// The file, for messages.
    private let path: String
    private let outline: ConfigurationOutline

    init(_ text: String, path: String) throws(ConfigurationError) {
        self.text = ConfigurationLines.withoutMark(text)
        mark = self.text.unicodeScalars.count == text.unicodeScalars.count ? "" : "\u{FEFF}"
        self.path = path
        outline = try ConfigurationOutline(parsing: text, path: path)
        if outline.items == nil {
            throw .invalid(path: path, [ConfigurationProblem(line: outline.line, kind: .notSection(nil))])
        }
    }

    /// The text with this value; a nil `profile` means the top level.
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

    /// The text without this key, and without its profile if that is then empty.
    ///
    /// - Throws: `.notSet` if the key is not set.
    func removing(_ name: String, profile: String?) throws(ConfigurationError) -> String {
        guard let item = item(name, profile: profile) else {
            throw .notSet(name, profile: profile, path: path)
        }
        var lines = ConfigurationLines(text)
        guard case .scalar(let scalar) = item.value, scalar.line == item.line else {
            throw .notEditable(path: path, line: item.line)
        }
        var removed = [item.line]
        if let profile, let profiles = outline.item(ConfigurationDocument.profilesName),
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

    /// The new text, if it has the intended meaning.
    private func checked(
        _ lines: ConfigurationLines, against wanted: [[String]: String], line: Int?
    ) throws(ConfigurationError) -> String {
        let result: ConfigurationOutline
        do throws(ConfigurationError) {
            result = try ConfigurationOutline(parsing: lines.text, path: path)
        } catch {
            throw .notEditable(path: path, line: line ?? error.line ?? 1)
        }
        guard result.items != nil, result.leaves == wanted else { throw .notEditable(path: path, line: line ?? 1) }
        return mark + lines.text
    }

    private static func keys(_ name: String, _ profile: String?) -> [String] {
        profile.map { [ConfigurationDocument.profilesName, $0, name] } ?? [name]
    }
}

extension ConfigurationEdit {
    /// Where to insert a new key, and which sections to create for it.
    struct Insertion {
        /// The new lines are inserted before this one.
        let line: Int
        /// Sections to create: name and indentation in spaces.
        private let newSections: [(name: String, depth: Int)]
        private let depth: Int

        /// The lines of the key and of its new sections.
        func lines(_ name: String, _ scalar: String) -> [String] {
            newSections.map { Self.indented($0.name + ":", $0.depth) } + [Self.indented("\(name): \(scalar)", depth)]
        }

        private static let indentation = 2

        init(
            of name: String, profile: String?, _ outline: ConfigurationOutline, _ lines: ConfigurationLines,
            path: String
        ) throws(ConfigurationError) {
            let items = outline.items ?? []
            let top = items.first.map { $0.column - 1 } ?? 0
            guard let profile else {
                depth = top
                newSections = []
                line = Self.lineAtTop(items, lines)
                return
            }
            guard let profiles = outline.item(ConfigurationDocument.profilesName) else {
                newSections = [(ConfigurationDocument.profilesName, top), (profile, top + Self.indentation)]
                depth = top + 2 * Self.indentation
                line = items.map { Self.lastLine(of: $0) }.max().map { $0 + 1 } ?? lines.count + 1
                return
            }
            guard case .section(let sections) = profiles.value, !sections.isEmpty else {
                guard profiles.isEmpty else { throw .notEditable(path: path, line: profiles.line) }
                newSections = [(profile, top + Self.indentation)]
                depth = top + 2 * Self.indentation
                line = profiles.line + 1
                return
            }
            let inner = (sections.first?.column ?? 1) - 1
            guard let section = sections.first(where: { $0.name == profile }) else {
                newSections = [(profile, inner)]
                depth = inner + Self.depthBelow(sections, inner)
                line = (sections.map { Self.lastLine(of: $0) }.max() ?? profiles.line) + 1
                return
            }
            newSections = []
            guard case .section(let own) = section.value, let first = own.first else {
                guard section.isEmpty else { throw .notEditable(path: path, line: section.line) }
                depth = inner + Self.depthBelow(sections, inner)
                line = section.line + 1
                return
            }
            depth = first.column - 1
            line = Self.lastLine(of: section) + 1
        }

        /// After the last top-level key that is not a section; if there is none, before the profiles and the comment
        /// above them.
        private static func lineAtTop(_ items: [ConfigurationOutline.Item], _ lines: ConfigurationLines) -> Int {
            let values = items.filter { if case .section = $0.value { false } else { true } }
            if let last = values.map({ lastLine(of: $0) }).max() { return last + 1 }
            guard let first = items.first?.line else { return lines.count + 1 }
            var line = first
            while line > 1, lines.trimmed(line - 1).hasPrefix("#") { line -= 1 }
            // A comment at the very top belongs to the file.
            return line == 1 ? first : line
        }

        /// The indentation of keys relative to their profile's name, as used in the file.
        private static func depthBelow(_ sections: [ConfigurationOutline.Item], _ inner: Int) -> Int {
            for section in sections {
                if case .section(let items) = section.value, let first = items.first {
                    return max(1, first.column - 1 - inner)
                }
            }
            return indentation
        }

        /// The last line on which a part of the item starts.
        private static func lastLine(of item: ConfigurationOutline.Item) -> Int {
            switch item.value {
            case .scalar(let scalar): max(item.line, scalar.line)
            case .section(let items): items.map { lastLine(of: $0) }.max() ?? item.line
            case .other: item.line
            }
        }

        private static func indented(_ text: String, _ depth: Int) -> String {
            String(repeating: " ", count: depth) + text
        }
    }
}

extension ConfigurationEdit {
    /// Where a key goes that is not there yet, and what leads to it.
    struct Insertion {
        /// The new lines go before this one.
        let line: Int
        /// Sections that have to be begun: name and depth in spaces.
        private let heads: [(name: String, depth: Int)]
        private let depth: Int

        /// The lines of the key, with those of its sections.
        func lines(_ name: String, _ scalar: String) -> [String] {
            heads.map { Self.indented($0.name + ":", $0.depth) } + [Self.indented("\(name): \(scalar)", depth)]
        }

        private static let step = 2

        init(
            of name: String, profile: String?, _ outline: ConfigurationOutline, _ lines: ConfigurationLines,
            path: String
        ) throws(ConfigurationError) {
            let items = outline.items ?? []
            let top = items.first.map { $0.column - 1 } ?? 0
            guard let profile else {
                depth = top
                heads = []
                line = Self.lineAtTop(items, lines)
                return
            }
            guard let profiles = outline.item(ConfigurationDocument.profilesName) else {
                heads = [(ConfigurationDocument.profilesName, top), (profile, top + Self.step)]
                depth = top + 2 * Self.step
                line = items.map { Self.lastLine(of: $0) }.max().map { $0 + 1 } ?? lines.count + 1
                return
            }
            guard case .section(let sections) = profiles.value, !sections.isEmpty else {
                guard profiles.isEmpty else { throw .notEditable(path: path, line: profiles.line) }
                heads = [(profile, top + Self.step)]
                depth = top + 2 * Self.step
                line = profiles.line + 1
                return
            }
            let inner = (sections.first?.column ?? 1) - 1
            guard let section = sections.first(where: { $0.name == profile }) else {
                heads = [(profile, inner)]
                depth = inner + Self.depthBelow(sections, inner)
                line = (sections.map { Self.lastLine(of: $0) }.max() ?? profiles.line) + 1
                return
            }
            heads = []
            guard case .section(let own) = section.value, let first = own.first else {
                guard section.isEmpty else { throw .notEditable(path: path, line: section.line) }
                depth = inner + Self.depthBelow(sections, inner)
                line = section.line + 1
                return
            }
            depth = first.column - 1
            line = Self.lastLine(of: section) + 1
        }

        /// After the last key of the top level that is no section; before the profiles, and the comment above them, when
        /// there is none yet.
        private static func lineAtTop(_ items: [ConfigurationOutline.Item], _ lines: ConfigurationLines) -> Int {
            let values = items.filter { if case .section = $0.value { false } else { true } }
            if let last = values.map({ lastLine(of: $0) }).max() { return last + 1 }
            guard let first = items.first?.line else { return lines.count + 1 }
            var line = first
            while line > 1, lines.trimmed(line - 1).hasPrefix("#") { line -= 1 }
            // A comment at the very top is that of the file.
            return line == 1 ? first : line
        }

        /// How much deeper the keys of profiles stand than their names, as the file has it.
        private static func depthBelow(_ sections: [ConfigurationOutline.Item], _ inner: Int) -> Int {
            for section in sections {
                if case .section(let items) = section.value, let first = items.first {
                    return max(1, first.column - 1 - inner)
                }
            }
            return step
        }

        /// The last line on which something of the item begins.
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

extension ConfigurationOutline {
    /// The key of the top level with this name.
    func item(_ name: String) -> Item? { items?.first { $0.name == name } }
}

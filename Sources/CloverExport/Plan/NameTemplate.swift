/// Template of an export's file names: a path in the destination with placeholders, such as
/// `{resource}/{date}.ndjson`.
package struct NameTemplate: Sendable, Equatable {
    /// The placeholders in braces.
    package enum Placeholder: String, Sendable, CaseIterable {
        case resource, merchant, profile
        /// The window: `FROM--TO`, the date of a business day, or the time at which a resource was exported in full.
        case window
        /// Start and end of the window in UTC: `20261120T225801.204Z`.
        case from, to
        /// Date of the window's last millisecond in the merchant's time zone.
        case date
        /// `ndjson`, `csv` or `tsv`, and `.gz` or `.zst` when compressed.
        case `extension`
    }

    /// Values of the placeholders.
    package struct Values: Sendable {
        package var resource: String
        package var merchant: String
        package var profile: String?
        package var window: PlannedWindow
        /// Date of a business day; nil for other windows.
        package var day: String?
        /// Date of the window's last millisecond; nil when the template does not use it.
        package var date: String?
        package var format: String
        /// `.gz`, `.zst`, or nothing.
        package var suffix: String

        package init(
            resource: String, merchant: String, profile: String?, window: PlannedWindow, day: String?, date: String?,
            format: String, suffix: String
        ) {
            self.resource = resource
            self.merchant = merchant
            self.profile = profile
            self.window = window
            self.day = day
            self.date = date
            self.format = format
            self.suffix = suffix
        }
    }

    private enum Part: Sendable, Equatable {
        case text(String)
        case placeholder(Placeholder)
    }

    /// The template as typed.
    package let text: String
    private let parts: [Part]
    /// Names of the files that belong to no window: nil for lists in full that have a file for each version.
    package private(set) var current: CurrentNames?

    package static let manifest = "manifest.ndjson"
    /// Folder of the records on which a jq program failed.
    package static let failed = "failed"
    /// The manifest's name in earlier versions, under which an older version may still write it.
    package static let oldManifest = "manifest.json"

    /// Whether the export itself uses this name in a destination.
    private static func isOwn(_ name: some StringProtocol) -> Bool {
        [ExportDirectory.folder, manifest, oldManifest, failed].contains { name == $0 }
    }

    /// The default template.
    ///
    /// - Parameters:
    ///   - ofMany: whether there are several merchants.
    ///   - growing: whether all windows of a resource go into one file.
    ///   - besideCurrent: whether the resource has a current file, apart from its change files.
    package static func usual(ofMany: Bool, growing: Bool, besideCurrent: Bool = false) -> String {
        let merchant = ofMany ? "{merchant}/" : ""
        if growing { return merchant + "{resource}.{extension}" }
        return merchant + "{resource}/" + (besideCurrent ? "changes/" : "") + "{window}.{extension}"
    }

    /// Names of current files, and of the logs of their changes.
    package struct CurrentNames: Sendable, Equatable {
        /// Whether each merchant has a folder.
        package var ofMany: Bool
        /// Whether the files of several merchants are in the same folder.
        package var isTagged: Bool

        package init(ofMany: Bool, isTagged: Bool) {
            self.ofMany = ofMany
            self.isTagged = isTagged
        }

        private var folder: String { (ofMany ? "{merchant}/" : "") + "{resource}/" }
        private var end: String { isTagged && !ofMany ? "-{merchant}" : "" }

        /// Path of a current file relative to the destination.
        package func file(_ values: Values) throws(ExportError) -> String {
            try NameTemplate(parsing: "\(folder)current\(end).{extension}").path(values)
        }

        /// Path of the log beside it, which is not compressed.
        package func log(_ values: Values) throws(ExportError) -> String {
            var values = values
            values.suffix = ""
            return try NameTemplate(parsing: "\(folder)changes\(end).log").path(values)
        }
    }

    /// A copy that gives lists in full a current file instead of a file for each version.
    package func with(current: CurrentNames?) -> NameTemplate {
        var names = self
        names.current = current
        return names
    }

    /// - Throws: `.name`.
    package init(parsing text: String) throws(ExportError) {
        self.text = text
        var parts: [Part] = []
        var rest = text[...]
        while let open = rest.firstIndex(of: "{") {
            if open > rest.startIndex { parts.append(.text(String(rest[..<open]))) }
            guard let close = rest[open...].firstIndex(of: "}") else { throw .name(.unclosedBrace, template: text) }
            let name = String(rest[rest.index(after: open)..<close])
            guard let placeholder = Placeholder(rawValue: name) else {
                throw .name(.unknownPlaceholder(name), template: text)
            }
            parts.append(.placeholder(placeholder))
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty { parts.append(.text(String(rest))) }
        self.parts = parts
        try Self.check(
            parts.map { part in if case .text(let text) = part { text } else { "x" } }.joined(), template: text)
    }

    package func has(_ placeholder: Placeholder) -> Bool { parts.contains(.placeholder(placeholder)) }

    /// Whether the names of a resource's windows differ.
    package var distinguishesWindows: Bool { [.window, .from, .to, .date].contains { has($0) } }

    /// Path of a file relative to the destination.
    ///
    /// - Parameter number: distinguishes files whose path would be the same; 1 for the first, whose path has no number.
    /// - Throws: `.name` when the values make an invalid path.
    package func path(_ values: Values, number: Int = 1) throws(ExportError) -> String {
        let path = (number > 1 ? numbered(number) : parts).map { part in
            switch part {
            case .text(let text): text
            case .placeholder(let placeholder): Self.safe(Self.value(placeholder, values))
            }
        }.joined()
        let whole = has(.extension) || path.hasSuffix(values.suffix) ? path : path + values.suffix
        try Self.check(whole, template: text)
        return whole
    }

    /// The parts with a number before the extension: `{date}-2.ndjson`.
    private func numbered(_ number: Int) -> [Part] {
        let isExtensionLast = parts.last == .placeholder(.extension)
        let place = parts.count - (isExtensionLast ? 2 : 1)
        guard parts.indices.contains(place), case .text(let text) = parts[place] else {
            return parts[...place] + [.text("-\(number)")] + parts[(place + 1)...]
        }
        let name = text[(text.lastIndex(of: "/").map { text.index(after: $0) } ?? text.startIndex)...]
        let dot = isExtensionLast ? name.lastIndex(of: ".") : name.firstIndex(of: ".")
        let seam = dot ?? text.endIndex
        var result = parts
        result[place] = .text("\(text[..<seam])-\(number)\(text[seam...])")
        return result
    }

    private static func value(_ placeholder: Placeholder, _ values: Values) -> String {
        let window = values.window
        return switch placeholder {
        case .resource: values.resource
        case .merchant: values.merchant
        case .profile: values.profile ?? values.merchant
        case .window:
            values.day ?? InstantName.text(window)
        case .from: InstantName.text(window.from ?? window.to)
        case .to: InstantName.text(window.to)
        case .date: values.day ?? values.date ?? ""
        case .extension: values.format + values.suffix
        }
    }

    /// Turns an id or path of the service into one path component: `orders/ID/line_items` is `orders.ID.line_items`.
    private static func safe(_ value: String) -> String {
        let name = value.map { character in
            character == "/"
                ? "."
                : character.isASCII && (character.isLetter || character.isNumber)
                    || "-_.".contains(character) ? String(character) : "_"
        }.joined()
        return name.hasPrefix(".") ? "_" + name.dropFirst() : name
    }

    private static func check(_ path: String, template: String) throws(ExportError) {
        let names = path.split(separator: "/", omittingEmptySubsequences: false)
        guard names.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }),
            !path.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
        else { throw .name(.path, template: template) }
        guard let first = names.first, !isOwn(first) else {
            throw .name(.reserved, template: template)
        }
    }
}

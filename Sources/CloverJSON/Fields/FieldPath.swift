/// The location of a value in a record: member names joined by dots, such as `employee.id`.
///
/// A whole number also selects an array element, counted from 0 (`lineItems.elements.0.name`), and a final `length`
/// also gives the number of elements of an array. The record decides which is meant: in an object both are ordinary
/// member names. A name that contains a dot cannot be written.
package struct FieldPath: Sendable, Equatable, Hashable {
    /// As the user wrote it.
    package let text: String
    /// One or more names, none of them empty.
    package let names: [String]

    /// The maximum number of names; no record of the service is nested nearly as deep.
    package static let depthLimit = 32

    /// - Throws: `.malformed`.
    package init(parsing text: String) throws(FieldPathError) {
        let names = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let isClean = !text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
        guard names.allSatisfy({ !$0.isEmpty }), names.count <= Self.depthLimit, isClean else {
            throw .malformed(text)
        }
        self.text = text
        self.names = names
    }

    /// Parses comma-separated paths, such as `id,total,employee.id`, ignoring spaces around them.
    /// - Throws: `.malformed` with the invalid part, `.repeated`.
    package static func list(parsing text: String) throws(FieldPathError) -> [FieldPath] {
        var paths: [FieldPath] = []
        var seen: Set<FieldPath> = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let trimmed = part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
            let path = try FieldPath(parsing: String(trimmed))
            guard seen.insert(path).inserted else { throw .repeated(path.text) }
            paths.append(path)
        }
        return paths
    }

    /// A table heading: words instead of `camelCase`, without the envelope of nested lists, such as `line items length`
    /// for `lineItems.elements.length`.
    package var heading: String {
        let shown = names.count > 1 ? names.filter { $0 != "elements" } : names
        return (shown.isEmpty ? names : shown).map(Self.words).joined(separator: " ")
    }

    private static func words(_ name: String) -> String {
        var result = ""
        var wasSmall = false
        for character in name {
            if character.isUppercase, wasSmall { result.append(" ") }
            wasSmall = character.isLowercase || character.isNumber
            result.append(contentsOf: character == "_" ? " " : character.lowercased())
        }
        return result
    }
}

/// Why a text is not a list of field paths.
package enum FieldPathError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Not a path of member names separated by dots.
    case malformed(String)
    case repeated(String)

    package var description: String {
        switch self {
        case .malformed(let text): "malformed field '\(text)'"
        case .repeated(let text): "the field '\(text)' is listed twice"
        }
    }
}

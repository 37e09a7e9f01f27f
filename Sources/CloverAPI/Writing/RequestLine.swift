package import CloverJSON

/// One input line of a batch: a body, and values for the names in the path.
package struct RequestLine: Sendable {
    package let bytes: [UInt8]
    private let kind: JSONKind
    private let values: [String: String]
    private let takesBareValue: Bool

    package enum Fault: Error, Equatable, Sendable {
        case notJSON(column: Int)
        /// Nested too deeply; it may still be valid JSON.
        case tooDeep(column: Int)
        /// Unquoted text where a JSON string would fill the path.
        case notAString(column: Int)
        /// Longer than the limit in bytes; nothing of it is kept.
        case tooLong(limit: Int)
        /// Neither an object nor an array, as a body must be.
        case notABody(JSONKind)
        /// The line has no string or number for a name in the path.
        case missing(String)
        /// The value would change the path: it is empty, `.` or `..`.
        case unusable(String)
    }

    /// - Parameter takesBareValue: the line may be a string or number instead of an object.
    package init(_ bytes: [UInt8], takesBareValue: Bool = false) throws(Fault) {
        self.bytes = bytes
        self.takesBareValue = takesBareValue
        do throws(JSONCheck.Fault) {
            (kind, values) = try JSONCheck.plainValues(of: bytes)
        } catch {
            if error.isTooDeep { throw .tooDeep(column: error.column) }
            throw takesBareValue ? .notAString(column: error.column) : .notJSON(column: error.column)
        }
    }

    /// The path with its names filled in. A line that is a string or number fills the only name.
    package func path(_ template: ResourcePath) throws(Fault) -> ResourcePath {
        let isBare = takesBareValue && template.placeholders.count == 1 && (kind == .string || kind == .integer)
        return try template.filled { name throws(Fault) in
            guard let value = values[isBare ? "" : name] else { throw .missing(name) }
            guard !["", ".", ".."].contains(value) else { throw .unusable(name) }
            return value
        }
    }

    package func body() throws(Fault) -> [UInt8] {
        guard kind == .object || kind == .array else { throw .notABody(kind) }
        return bytes
    }
}

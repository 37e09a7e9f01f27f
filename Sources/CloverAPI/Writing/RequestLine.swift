/// One line of many requests: the body, and what fills the names in the path.
package struct RequestLine: Sendable {
    /// The line as it came.
    package let bytes: [UInt8]
    private let kind: RecordValidator.JSONKind
    private let values: [String: String]
    private let takesBareValue: Bool

    /// Why a line cannot become a request.
    package enum Fault: Error, Equatable, Sendable {
        case notJSON(column: Int)
        /// It may be JSON, but with more levels than are read.
        case tooDeep(column: Int)
        /// Plain words where a JSON string would fill the path.
        case notAString(column: Int)
        /// Longer than so many bytes; nothing of it is kept.
        case tooLong(limit: Int)
        /// A body is an object or an array.
        case notABody(RecordValidator.JSONKind)
        /// The path has a name that the line has no text or number for.
        case missing(String)
        /// The value would make another path of it: it is empty, a dot or two.
        case unusable(String)
    }

    /// - Parameter takesBareValue: a line may be a text or number, and no object.
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

    /// The path with its names filled in; a line that is a text or number fills the one name there is.
    package func path(_ template: ResourcePath) throws(Fault) -> ResourcePath {
        let isBare = takesBareValue && template.placeholders.count == 1 && (kind == .string || kind == .integer)
        return try template.filled { name throws(Fault) in
            guard let value = values[isBare ? "" : name] else { throw .missing(name) }
            guard !["", ".", ".."].contains(value) else { throw .unusable(name) }
            return value
        }
    }

    /// The line as a body.
    package func body() throws(Fault) -> [UInt8] {
        guard kind == .object || kind == .array else { throw .notABody(kind) }
        return bytes
    }
}

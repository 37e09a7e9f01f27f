/// One line of many requests: the body, and what fills the names in the path.
package struct RequestLine: Sendable {
    /// The line as it came.
    package let bytes: [UInt8]
    private let kind: RecordValidator.JSONKind
    private let values: [String: String]

    /// Why a line cannot become a request.
    package enum Fault: Error, Equatable, Sendable {
        case notJSON(column: Int)
        /// A body is an object or an array.
        case notABody(RecordValidator.JSONKind)
        /// The path has a name that the line has no text or number for.
        case missing(String)
        /// The value would make another path of it: it is empty, a dot or two.
        case unusable(String)
    }

    package init(_ bytes: [UInt8]) throws(Fault) {
        self.bytes = bytes
        do throws(JSONCheck.Fault) {
            (kind, values) = try JSONCheck.plainValues(of: bytes)
        } catch {
            throw .notJSON(column: error.column)
        }
    }

    /// The path with its names filled in.
    ///
    /// - Parameter takesBareValue: a line that is a text or number, and no object, fills the one name there is.
    package func path(_ template: ResourcePath, takesBareValue: Bool) throws(Fault) -> ResourcePath {
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

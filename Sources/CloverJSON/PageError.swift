import CloverSystem

/// Why a response body is not a valid page. Offsets count bytes of the decoded body from 0.
package enum PageError: Error, Equatable, Sendable {
    /// An invalid byte. `excerpt` is up to 60 characters from there on, without control characters.
    case notJSON(at: Int, excerpt: String)
    /// The body starts with `<`: an HTML or XML page, as sent by proxies and error pages.
    case html
    /// The body ended inside a value; `at` is the number of bytes received. An empty body is cut off at 0.
    case cutOff(at: Int)
    /// JSON, but without `elements` where a list was expected.
    case noElements
    /// The same of the ecommerce API, whose lists are in `data`.
    case noData
    /// `elements` is present but is not an array; or, of the ecommerce API, the member that is named.
    case elementsNotAnArray(at: Int, member: String = "elements")
    /// The same, present twice, so that it is ambiguous.
    case elementsRepeated(at: Int, member: String = "elements")
    /// JSON, or nothing, where the one record that was written was expected.
    case noRecord
    /// A record of a list is not an object.
    case notAnObject(at: Int)
    /// An array where one object was expected.
    case anArray
    /// A list where the record of one ID was expected.
    case aList
    /// The record of another ID than the path asks for. `excerpt` as for `notJSON`.
    case otherRecord(excerpt: String)
    /// A record (or a body that is one record) is larger than `limit` bytes.
    case recordTooLarge(at: Int, limit: Int)
    /// More than `limit` bytes without a record: before the first one, between two, or after the last one.
    case gapTooLarge(at: Int, limit: Int)
    /// A record has an ID that no path can contain. `excerpt` as for `notJSON`.
    case unusableID(excerpt: String)
}

extension PageError: CustomStringConvertible {
    package var description: String {
        switch self {
        // Inside JSON, an excerpt might show part of a secret whose name comes before it.
        case .notJSON(let offset, let excerpt): "not JSON at byte \(offset)" + (offset == 0 ? ": '\(excerpt)'" : "")
        case .html: "an HTML page, not JSON"
        case .cutOff(let offset): "cut off after \(offset) bytes"
        case .noElements: "no 'elements' in the response"
        case .noData: "no 'data' in the response"
        case .elementsNotAnArray(let offset, let member): "'\(member)' is not an array at byte \(offset)"
        case .elementsRepeated(let offset, let member): "'\(member)' appears twice at byte \(offset)"
        case .noRecord: "without the record"
        case .notAnObject(let offset): "a record is not an object at byte \(offset)"
        case .anArray: "an array, not an object"
        case .aList: "a list, not a single record"
        case .otherRecord(let excerpt): "another record, '\(excerpt)'"
        case .recordTooLarge(let offset, let limit): "a record is larger than \(limit) bytes at byte \(offset)"
        case .gapTooLarge(let offset, let limit): "more than \(limit) bytes without a record at byte \(offset)"
        case .unusableID(let excerpt): "a record with an ID that no path can contain: '\(excerpt)'"
        }
    }
}

extension PageError {
    package static func unusableID(_ id: String) -> PageError { .unusableID(excerpt: excerpt(of: id)) }
    package static func otherRecord(_ id: String) -> PageError { .otherRecord(excerpt: excerpt(of: id)) }

    private static func excerpt(of text: String) -> String {
        var text = text
        return text.withUTF8 { excerpt(of: UnsafeRawBufferPointer($0)) }
    }

    /// A short part of a body for a message: at most 60 characters from the start of `bytes`, without control
    /// characters. Invalid UTF-8 becomes U+FFFD.
    static func excerpt(of bytes: UnsafeRawBufferPointer) -> String {
        // 60 characters rarely need more than 4 bytes each; truncating a longer grapheme is acceptable here.
        String(TerminalText.line(String(decoding: bytes.prefix(240), as: UTF8.self)).prefix(60))
    }
}

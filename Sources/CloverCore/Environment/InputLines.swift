/// The lines of a file or of standard input, read only on demand.
package protocol InputLines: Sendable {
    /// Waits for the next line, and returns it with the lines after it that have already arrived; empty at the end of the
    /// input. A cancelled task stops waiting at once.
    ///
    /// - Parameter count: maximum number of lines; at least one.
    /// - Throws: `DescriptorReader.Failure`, for a file `CoreError.unreadableFile`; `CancellationError`.
    func next(atMost count: Int) async throws -> [InputText]

    /// The share of the input that was returned, from 0 to 1; nil if its length is unknown, such as for a pipe.
    var share: Double? { get }
}

extension InputLines {
    /// The next line; nil at the end of the input.
    package func next() async throws -> InputText? {
        try await next(atMost: 1).first
    }
}

/// One line of an input.
package enum InputText: Sendable, Equatable {
    /// A line without its line break; the first line also without a byte order mark.
    case line([UInt8])
    /// A line of more than `limit` bytes, which was skipped.
    case tooLong(limit: Int)

    /// Whether the line is empty or only white space.
    package var isBlank: Bool {
        guard case .line(let bytes) = self else { return false }
        return bytes.allSatisfy { [0x20, 0x09, 0x0D].contains($0) }
    }
}

/// The byte order mark that some programs put in front of UTF-8 text. JSON parsers may ignore it (RFC 8259, section 8.1).
package enum ByteOrderMark {
    private static let bytes: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The text without a leading byte order mark.
    package static func dropped(from text: [UInt8]) -> [UInt8] {
        text.starts(with: bytes) ? Array(text.dropFirst(bytes.count)) : text
    }
}

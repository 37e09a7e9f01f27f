/// The lines of a file or of standard input, one after the other, read only as far as they are asked for.
package protocol InputLines: Sendable {
    /// The next line and those behind it that are here already, so that waiting for one never holds back another; none
    /// after the last one. A cancelled task stops waiting at once.
    ///
    /// - Parameter count: so many at most, and one at least.
    /// - Throws: `DescriptorReader.Failure`, of a file `CoreError.unreadableFile`; `CancellationError`.
    func next(atMost count: Int) async throws -> [InputText]

    /// How much of the input has been given away, from 0 to 1; nil where its length is not known, such as that of a pipe.
    var share: Double? { get }
}

extension InputLines {
    /// The next line; nil after the last one.
    package func next() async throws -> InputText? {
        try await next(atMost: 1).first
    }
}

/// One line of an input.
package enum InputText: Sendable, Equatable {
    /// Without its line break, and the first line without a byte order mark.
    case line([UInt8])
    /// Longer than anybody means: more than so many bytes. It was skipped to its end.
    case tooLong(limit: Int)

    /// Nothing but white space.
    package var isBlank: Bool {
        guard case .line(let bytes) = self else { return false }
        return bytes.allSatisfy { [0x20, 0x09, 0x0D].contains($0) }
    }
}

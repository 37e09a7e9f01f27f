/// The lines of one of the catalogue's tables. The text is part of the program, so nothing is copied before a line is
/// asked for.
struct TableText {
    private let bytes: UnsafeBufferPointer<UInt8>

    /// - Parameter text: not a single character, which the compiler would keep in another form.
    init(_ text: StaticString) {
        bytes = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    }

    /// One line; its columns are separated by tabs.
    ///
    /// It points into the program's own text, which nobody changes and nothing frees, so it may be used from anywhere.
    struct Line: @unchecked Sendable {
        fileprivate let bytes: Slice<UnsafeBufferPointer<UInt8>>

        /// The text of all columns.
        var columns: [String] {
            bytes.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self) }
        }

        var firstColumn: String {
            String(decoding: bytes.prefix { $0 != UInt8(ascii: "\t") }, as: UTF8.self)
        }

        /// Whether the first column is this text.
        func begins(with name: some StringProtocol) -> Bool {
            let name = name.utf8
            return bytes.starts(with: name) && bytes.dropFirst(name.count).first == UInt8(ascii: "\t")
        }

        /// The bytes of the second column, where a table has its key.
        var secondColumn: Slice<UnsafeBufferPointer<UInt8>> {
            let rest = bytes.drop { $0 != UInt8(ascii: "\t") }.dropFirst()
            return rest.prefix { $0 != UInt8(ascii: "\t") }
        }
    }

    /// Calls `body` for every line, in order.
    func forEach(_ body: (Line) -> Void) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
            body(Line(bytes: rest[..<end]))
            rest = rest[end...].dropFirst()
        }
    }

    /// Every line's text.
    var texts: [String] {
        // An empty first line is a line too.
        bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
    }
}

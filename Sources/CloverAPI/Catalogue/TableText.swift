/// The lines of a catalogue table. The text is static data of the program; lines are copied only when read.
struct TableText {
    private let bytes: UnsafeBufferPointer<UInt8>

    /// - Parameter text: must be longer than one character; the compiler stores a single one differently.
    init(_ text: StaticString) {
        bytes = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    }

    /// One line, with columns separated by tabs.
    ///
    /// Sendable because it points into the program's static text, which is immutable and never freed.
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

        /// The bytes of the second column, which is the key of some tables.
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

    /// The text of every line.
    var texts: [String] {
        // Keeps an empty first line.
        bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
    }
}

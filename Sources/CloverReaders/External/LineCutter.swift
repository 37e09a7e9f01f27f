/// Cuts a stream of bytes into lines.
package struct LineCutter: Sendable {
    /// The longest line in bytes, without its end.
    package let limit: Int
    private var rest: [UInt8] = []

    package init(limit: Int) {
        self.limit = limit
    }

    /// The lines that are complete with these bytes; empty ones too.
    /// - Returns: nil when a line is too long.
    package mutating func take(_ bytes: ArraySlice<UInt8>) -> [[UInt8]]? {
        var lines: [[UInt8]] = []
        var left = bytes
        while let end = left.firstIndex(of: UInt8(ascii: "\n")) {
            let line = rest + left[..<end]
            guard line.count <= limit else { return nil }
            lines.append(line)
            rest = []
            left = left[(end + 1)...]
        }
        rest += left
        return rest.count <= limit ? lines : nil
    }

    /// What there is of a line without an end.
    package mutating func takeRest() -> [UInt8] {
        defer { rest = [] }
        return rest
    }
}

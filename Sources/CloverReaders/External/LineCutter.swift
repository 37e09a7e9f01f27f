/// Cuts a stream of bytes into lines.
struct LineCutter: Sendable {
    /// The longest line in bytes, without its end.
    let limit: Int
    private var rest: [UInt8] = []

    init(limit: Int) {
        self.limit = limit
    }

    /// Whether a line has begun that has no end yet.
    var isInLine: Bool { !rest.isEmpty }

    /// The lines that are complete with these bytes; empty ones too.
    /// - Returns: nil when a line is too long.
    mutating func take(_ bytes: ArraySlice<UInt8>) -> [[UInt8]]? {
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
    mutating func takeRest() -> [UInt8] {
        defer { rest = [] }
        return rest
    }
}

/// Records made up by chance, always the same ones for the same seed.
package struct SampleJSON {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    private static let names = ["id", "total", "name", "length", "0", "elements", "a b", "é", "q\\\"q", "\\u0061"]
    private static let pieces = [
        "a", "Zoë", ",", "\\\"", "\\\\", "\\n", "\\r", "\\t", "\\/", "\\u00e9", "\\ud83d\\ude00", "漢字", "=1+1", " ",
        "'",
        "-", "\\b", "x{", "]", "}", ":", "😀",
    ]
    private static let numbers = ["0", "-1", "12", "1.0", "1e400", "-0.50", "9007199254740993", "1E-7", "300"]

    /// An object on one line, as the service could send it; with white space between its parts now and then.
    package mutating func record() -> String {
        object(depth: 0)
    }

    /// A scalar without white space around it.
    package mutating func scalar() -> String {
        switch below(6) {
        case 0: ["true", "false", "null"][below(3)]
        case 1: Self.numbers[below(Self.numbers.count)]
        default: string()
        }
    }

    package mutating func string() -> String {
        "\"" + (0..<below(5)).map { _ in Self.pieces[below(Self.pieces.count)] }.joined() + "\""
    }

    package mutating func integer(_ range: ClosedRange<Int64>) -> Int64 {
        range.lowerBound + Int64(next() % UInt64(range.upperBound - range.lowerBound + 1))
    }

    private mutating func value(depth: Int) -> String {
        switch depth < 4 ? below(6) : 5 {
        case 0, 1: object(depth: depth)
        case 2: array(depth: depth)
        default: scalar()
        }
    }

    private mutating func object(depth: Int) -> String {
        var left = Self.names
        let members = (0..<below(6)).map { _ in
            let name = left.remove(at: below(left.count))
            return "\(space())\"\(name)\"\(space()):\(space())\(value(depth: depth + 1))\(space())"
        }
        return "{" + (members.isEmpty ? space() : members.joined(separator: ",")) + "}"
    }

    private mutating func array(depth: Int) -> String {
        let elements = (0..<below(5)).map { _ in space() + value(depth: depth + 1) + space() }
        return "[" + elements.joined(separator: ",") + "]"
    }

    private mutating func space() -> String {
        ["", "", "", "", " ", "\t", "  "][below(7)]
    }

    private mutating func below(_ bound: Int) -> Int {
        Int(next() % UInt64(bound))
    }

    /// SplitMix64.
    private mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

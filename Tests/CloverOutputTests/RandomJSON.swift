/// Random JSON texts from a seed: nested, with white space, escapes, scripts and numbers of every form.
struct RandomJSON {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    /// SplitMix64.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func number(below limit: Int) -> Int {
        Int(next() % UInt64(limit))
    }

    mutating func value(depth: Int, lineBreaks: Bool) -> String {
        let gap = space(lineBreaks)
        switch number(below: depth <= 0 ? 5 : 9) {
        case 0: return gap + pick(["true", "false", "null"])
        case 1, 2: return gap + numberText()
        case 3, 4: return gap + string()
        case 5, 6:
            let elements = (0..<number(below: 5)).map { _ in value(depth: depth - 1, lineBreaks: lineBreaks) }
            return gap + "[" + elements.joined(separator: space(lineBreaks) + ",") + space(lineBreaks) + "]"
        default:
            let members = (0..<number(below: 6)).map { _ in
                space(lineBreaks) + name() + space(lineBreaks) + ":" + value(depth: depth - 1, lineBreaks: lineBreaks)
            }
            return gap + "{" + members.joined(separator: space(lineBreaks) + ",") + space(lineBreaks) + "}"
        }
    }

    private mutating func pick(_ choices: [String]) -> String {
        choices[number(below: choices.count)]
    }

    private mutating func name() -> String {
        number(below: 4) == 0
            ? string() : pick(["\"id\"", "\"elements\"", "\"total\"", "\"lineItems\"", "\"a b\"", "\"\"", "\"ключ\""])
    }

    mutating func space(_ lineBreaks: Bool) -> String {
        if number(below: 3) > 0 { return "" }
        return pick(lineBreaks ? [" ", "\n", "\r\n  ", "\t", "  "] : [" ", "\t", "  "])
    }

    private mutating func numberText() -> String {
        switch number(below: 8) {
        case 0: pick(["0", "-0", "1", "9007199254740993", "123456789012345", "1234567890123456", "-999999999999999"])
        case 1: pick(["1e5", "1E-7", "-2.5e+10", "1e400", "-1e400", "1e-400", "0.1", "0.30000000000000004"])
        case 2: "\(number(below: 1000)).\(number(below: 100_000))"
        case 3: "-\(next())"
        case 4: "\(next()).\(next())e-\(number(below: 30))"
        default: "\(number(below: 100_000))"
        }
    }

    mutating func string() -> String {
        var text = "\""
        for _ in 0..<number(below: 12) {
            text += pick([
                "a", "Z", "{", "}", "[", "]", ",", ":", "elements", #"\""#, #"\\"#, #"\/"#, #"\n"#, #"\t"#, #"\b\f\r"#,
                #"\u0041"#, #"\u00e9"#,
                #"\u20AC"#, #"\ud83d\ude00"#, #"\u0000"#, "é", "قهوة", "🥐", "\u{7F}", " ", "word ",
            ])
        }
        return text + "\""
    }
}

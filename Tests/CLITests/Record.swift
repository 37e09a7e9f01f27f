/// Records for scripted servers.
enum Record {
    /// `count` small orders with numbers from `first`; the same number gives the same bytes.
    static func orders(_ count: Int, from first: Int = 0) -> [String] {
        (first..<(first + count)).map { order($0) }
    }

    static func order(_ number: Int) -> String {
        #"{"id":"\#(identifier(number))","total":\#(number * 7 % 9973),"note":"Zoë 🍀 \#(number)"}"#
    }

    /// Thirteen capital letters and digits, as Clover's.
    static func identifier(_ number: Int) -> String {
        let digits = String(number)
        return "ORDER" + String(repeating: "0", count: 8 - digits.count) + digits
    }
}

/// What is written inside a line item.
struct LineExpansion: OptionSet {
    let rawValue: Int
    static let discounts = LineExpansion(rawValue: 1)
    static let modifications = LineExpansion(rawValue: 2)
    static let taxRates = LineExpansion(rawValue: 4)
    static let employee = LineExpansion(rawValue: 8)
    static let orderType = LineExpansion(rawValue: 16)

    init(rawValue: Int) {
        self.rawValue = rawValue
    }

    init(_ tree: ExpandTree) {
        var set: LineExpansion = []
        if tree.contains("discounts") { set.insert(.discounts) }
        if tree.contains("modifications") { set.insert(.modifications) }
        if tree.contains("taxRates") { set.insert(.taxRates) }
        if tree.contains("employee") { set.insert(.employee) }
        if tree.contains("orderType") { set.insert(.orderType) }
        self = set
    }
}

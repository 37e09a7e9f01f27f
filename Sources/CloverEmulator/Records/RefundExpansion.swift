/// What is written inside a refund.
struct RefundExpansion: OptionSet {
    let rawValue: Int
    static let payment = RefundExpansion(rawValue: 1)
    static let employee = RefundExpansion(rawValue: 2)
    static let lineItems = RefundExpansion(rawValue: 4)

    init(rawValue: Int) {
        self.rawValue = rawValue
    }

    init(_ tree: ExpandTree) {
        var set: RefundExpansion = []
        if tree.contains("payment") { set.insert(.payment) }
        if tree.contains("employee") { set.insert(.employee) }
        if tree.contains("lineItems") { set.insert(.lineItems) }
        self = set
    }
}

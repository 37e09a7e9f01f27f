/// What is written inside an order.
struct OrderExpansion {
    var employee = false
    var orderType = false
    var lineItems = false
    var discounts = false
    var payments = false
    var refunds = false
    var customers = false
    var lines: LineExpansion = []
    var payment: PaymentExpansion = []
    var refund: RefundExpansion = []
    var customerTree = ExpandTree.none

    /// The documentation spells the inner names of payments `payment.tender`; with the plural they work as well here.
    init(_ tree: ExpandTree) {
        employee = tree.contains("employee")
        orderType = tree.contains("orderType")
        lineItems = tree.contains("lineItems")
        discounts = tree.contains("discounts")
        payments = tree.contains("payments") || tree.contains("payment")
        refunds = tree.contains("refunds")
        customers = tree.contains("customers")
        lines = LineExpansion(tree.inside("lineItems"))
        payment = PaymentExpansion(tree.inside("payments")).union(PaymentExpansion(tree.inside("payment")))
        // An order inside a payment inside an order would be the parent again.
        payment.remove(.order)
        refund = RefundExpansion(tree.inside("refunds"))
        customerTree = tree.inside("customers")
    }
}

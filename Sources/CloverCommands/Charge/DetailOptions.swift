import ArgumentParser
import CloverPayments

/// What a charge is for.
struct DetailOptions: ParsableArguments {
    @Option(
        name: .customLong("external-id"), parsing: .unconditional,
        help: ArgumentHelp(
            "Your own id of the payment, 32 characters at most, 12 for ecommerce; one of ours otherwise.",
            valueName: "id"))
    var externalID: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("An invoice number for statements, 12 characters at most.", valueName: "text"))
    var reference: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("A description, for ecommerce.", valueName: "text"))
    var description: String?

    @Option(
        name: .customLong("receipt-email"), parsing: .unconditional,
        help: ArgumentHelp("Send a receipt of an ecommerce charge to this address.", valueName: "address"))
    var receiptEmail: String?

    @Option(
        name: .long, parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Keep a value with an ecommerce charge; 500 characters in all.", valueName: "name=value"))
    var metadata: [String] = []

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Note an order with an ecommerce charge, in its metadata.", valueName: "id"))
    var order: String?

    func apply(to plan: inout ChargePlan) throws {
        plan.externalID = externalID
        plan.reference = reference
        plan.description = description
        plan.receiptEmail = receiptEmail
        plan.order = order
        for pair in metadata {
            guard let mark = pair.firstIndex(of: "="), mark != pair.startIndex else {
                throw PlanRefusal.malformedMetadata
            }
            let name = String(pair[..<mark])
            guard plan.metadata[name] == nil, name != "order" || order == nil else {
                throw PlanRefusal.repeatedMetadata(name: name)
            }
            plan.metadata[name] = String(pair[pair.index(after: mark)...])
        }
    }
}

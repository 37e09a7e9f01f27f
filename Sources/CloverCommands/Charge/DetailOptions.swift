import ArgumentParser
import CloverPayments

/// What the charge is for.
struct DetailOptions: ParsableArguments {
    @Option(
        name: .customLong("external-id"), parsing: .unconditional,
        help: ArgumentHelp(
            "Your own ID for the payment, at most 32 characters, 12 for ecommerce (default: generated).",
            valueName: "id"))
    var externalID: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Invoice number for statements, at most 12 characters.", valueName: "text"))
    var reference: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Description of an ecommerce charge.", valueName: "text"))
    var description: String?

    @Option(
        name: .customLong("receipt-email"), parsing: .unconditional,
        help: ArgumentHelp("Send a receipt of an ecommerce charge to this address.", valueName: "address"))
    var receiptEmail: String?

    @Option(
        name: .long, parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Metadata to store with an ecommerce charge, at most 500 characters in all.", valueName: "name=value"))
    var metadata: [String] = []

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("ID of an order to store in the metadata of an ecommerce charge.", valueName: "id"))
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

import CloverAPI
import CloverHTTP
import CloverJSON
package import CloverOutput
import FoundationEssentials

/// Sessions of Hosted Checkout (Clover: creating a Hosted Checkout session). A session takes no money by itself, and only who
/// has its address can pay: one whose address never arrived cannot be paid, so that another may be made in its place.
struct HostedCheckoutRail: PaymentRailRules {
    let displayName = "Hosted Checkout"
    let noun = "checkout"
    let makesPage = true
    let identifierPrefix: String? = "h"
    let amountRange: ClosedRange<Int64> = 1...99_999_999
    /// Ends the note of a line item, by which the order is found.
    let maximumExternalIDLength = 12
    let waitsForCard = false

    static let path = "/invoicingcheckoutservice/v1/checkouts"

    func isAvailable(in environment: String) -> Bool { EcommerceRail().isAvailable(in: environment) }

    func refusal(of kind: OperationKind, on charge: PaymentOperation) -> PaymentPlanError? {
        .notOnRail(kind, .hostedCheckout)
    }

    func headers(of operation: PaymentOperation) -> [HTTPHeader] {
        [HTTPHeader(name: "X-Clover-Merchant-Id", value: operation.merchantID)]
    }

    func evidence(on operation: PaymentOperation, status: Int, body: [UInt8], isRepeat: Bool) -> Evidence {
        let tree = JSONTree(body)
        if (200...299).contains(status) {
            guard let session = tree.flatMap({ CheckoutSession($0, reference: operation.externalID ?? "") }) else {
                return .inconclusive("the response (\(status)) cannot be understood", http: status, isRepeatable: true)
            }
            var outcome = OperationOutcome(http: status)
            outcome.session = session
            return .effect(outcome)
        }
        let refusal = ServiceErrorBody(body)
        var outcome = OperationOutcome(http: status)
        outcome.code = refusal.code
        outcome.text = refusal.text
        outcome.reason = refusal.text == nil && refusal.code == nil ? "the service answered \(status)" : nil
        let isFinal = (400...499).contains(status) && ![408, 409, 425].contains(status)
        // Whatever refused it, no one has an address.
        guard isFinal, tree != nil else {
            outcome.reason = "the service answered \(status)" + (tree == nil ? ", not in Clover's form" : "")
            return .silence(outcome, isRepeatable: true)
        }
        return .outOfReach(outcome)
    }

    func lookUp(_ operation: PaymentOperation, _ lookup: PaymentLookup) async -> [Evidence] {
        if operation.outcome.session != nil {
            return [.inconclusive("whether a page was paid is shown by 'clover checkout wait \(operation.id)'")]
        }
        let reason = "no address of the page that can be used arrived, so that no one can pay there"
        return [.outOfReach(OperationOutcome(reason: reason, http: operation.outcome.http))]
    }
}

/// A session of Hosted Checkout: a page on which the payer pays.
package struct CheckoutSession: Codable, Sendable, Equatable {
    package let id: String
    /// The address of the page.
    package let address: String
    /// Milliseconds since 1970, on the service's clock; nil if the response has none.
    package let createdAt: Int64?
    package let expiresAt: Int64?
    /// Ends the note of each line item.
    package let reference: String
    /// When the page was in the journal, in milliseconds since 1970 on this machine's clock; nil if the row did not change since.
    var recordedAt: Int64?

    /// Milliseconds that a session lives, where the response does not say (Clover: creating a Hosted Checkout session).
    package static let lifetime: Int64 = 15 * 60 * 1000

    init?(_ tree: JSONTree, reference: String) {
        guard let id = tree["checkoutSessionId"]?.string, !id.isEmpty, let address = tree["href"]?.string,
            address.hasPrefix("https://") || address.hasPrefix("http://127.0.0.1")
                || address.hasPrefix("http://localhost")
        else { return nil }
        self.id = id
        self.address = address
        createdAt = Self.time(tree["createdTime"])
        expiresAt = Self.time(tree["expirationTime"])
        self.reference = reference
    }

    /// Nil for a number that is in no unit that is known.
    private static func time(_ value: JSONTree?) -> Int64? {
        value?.int.flatMap { $0 > 100_000_000_000 ? $0 : nil }
    }
}

/// What a Hosted Checkout session is for.
package struct CheckoutPlan: Sendable, Equatable {
    package struct Item: Sendable, Equatable {
        package let name: String
        /// Price of one, in the smallest unit.
        package let price: Int64
        package let quantity: Int

        package init(name: String, price: Int64, quantity: Int) {
            self.name = name
            self.price = price
            self.quantity = quantity
        }
    }

    /// A tax on all items, on top of their prices.
    package struct Tax: Sendable, Equatable {
        package let name: String
        /// Percent times 100,000.
        package let rate: Int64

        package init(name: String, rate: Int64) {
            self.name = name
            self.rate = rate
        }
    }

    package var items: [Item] = []
    package var taxes: [Tax] = []
    package var note: String?
    package var firstName: String?
    package var lastName: String?
    package var email: String?
    package var phone: String?
    /// Where the page leads afterwards. That proves nothing about the payment.
    package var successAddress: String?
    package var failureAddress: String?
    /// The merchant's page settings.
    package var page: String?
    package var idempotencyKey: String?

    package init() {}

    /// - Throws: `PaymentPlanError.malformedKey` and `.noEcommerce`; an amount that is out of range.
    package func operation(
        currency: Currency, environment: String, merchantID: String, now: Int64
    ) throws -> PaymentOperation {
        let rail = PaymentRail.hostedCheckout
        guard rail.rules.isAvailable(in: environment) else {
            throw PaymentPlanError.noEcommerce(environment: environment)
        }
        var sum: Int64 = 0
        for item in items {
            let (part, isBeyond) = item.price.multipliedReportingOverflow(by: Int64(item.quantity))
            let (total, isAbove) = sum.addingReportingOverflow(part)
            sum = isBeyond || isAbove ? .max : total
        }
        let amount = Money(minorUnits: sum, currency: currency)
        guard rail.amountRange.contains(sum) else { throw PaymentPlanError.amountOutOfRange(amount, rail) }
        let key = try ChargePlan.checked(key: idempotencyKey) ?? UUID().uuidString.lowercased()
        let reference = OperationIdentifier.externalID(ofKey: key, on: rail)
        var request = OperationRequest(
            path: HostedCheckoutRail.path, body: try BodyText.encode(body(reference: reference)))
        request.hasChosenKey = idempotencyKey != nil ? true : nil
        return PaymentOperation(
            id: OperationIdentifier.make(.charge, on: rail, now: now), kind: .charge, rail: rail,
            environment: environment, merchantID: merchantID, idempotencyKey: key, externalID: reference,
            amount: amount, request: request, now: now)
    }

    fileprivate struct Body: Codable {
        struct Customer: Codable {
            var firstName: String?
            var lastName: String?
            var email: String?
            var phoneNumber: String?
        }

        struct Cart: Codable {
            struct Line: Codable {
                struct Rate: Codable {
                    var name: String
                    var rate: Int64
                }

                var name: String
                var price: Int64
                var unitQty: Int
                var note: String
                var taxRates: [Rate]?
            }

            var lineItems: [Line]
        }

        struct Redirects: Codable {
            var success: String?
            var failure: String?
        }

        var customer: Customer
        var shoppingCart: Cart
        var redirectUrls: Redirects?
        var pageConfigUuid: String?
    }

    private func body(reference: String) -> Body {
        let rates = taxes.map { Body.Cart.Line.Rate(name: $0.name, rate: $0.rate) }
        let words = (note.map { $0 + " " } ?? "") + reference
        let lines = items.map {
            Body.Cart.Line(
                name: $0.name, price: $0.price, unitQty: $0.quantity, note: words, taxRates: rates.isEmpty ? nil : rates
            )
        }
        let hasRedirect = successAddress != nil || failureAddress != nil
        return Body(
            customer: .init(firstName: firstName, lastName: lastName, email: email, phoneNumber: phone),
            shoppingCart: .init(lineItems: lines),
            redirectUrls: hasRedirect ? .init(success: successAddress, failure: failureAddress) : nil,
            pageConfigUuid: page)
    }
}

extension PaymentOperation {
    /// What a page asks for, with its taxes, in the smallest unit. How Clover rounds taxes, by item or by order, is not
    /// documented: a payment may differ by `slack`, and is not less than the items. Nil for what is no page.
    package var checkoutTotal: (amount: Int64, slack: Int64, items: Int64)? {
        guard rail.makesPage,
            let body = try? JSONDecoder().decode(CheckoutPlan.Body.self, from: Data(request.body.utf8))
        else { return nil }
        var (sum, taxes, slack): (Int64, Double, Int64) = (0, 0, 0)
        for line in body.shoppingCart.lineItems {
            // The plan has checked that the sum of the items is in the rail's range.
            let part = line.price * Int64(line.unitQty)
            sum += part
            for rate in line.taxRates ?? [] {
                taxes += Double(part) * Double(rate.rate) / 10_000_000
                slack += Int64(line.unitQty)
            }
        }
        return (sum + Int64(taxes.rounded()), (slack + 1) / 2, sum)
    }

    /// `expiry`, where the service's clock shows another time: more than a minute from that of the response.
    package var expiryHere: Int64? {
        guard let end = outcome.session?.expiresAt else { return nil }
        let (difference, isBeyond) = end.subtractingReportingOverflow(expiry)
        return isBeyond || abs(difference) > 60_000 ? expiry : nil
    }

    /// When a session has ended for certain, in milliseconds since 1970 on this machine's clock, which may differ from the
    /// service's.
    package var expiry: Int64 {
        guard let session = outcome.session, let start = session.createdAt, let end = session.expiresAt, end >= start
        else {
            return pageRecordedAt + CheckoutSession.lifetime
        }
        let (time, isBeyond) = pageRecordedAt.addingReportingOverflow(end - start)
        return isBeyond ? .max : time
    }

    /// When the session was in the journal, from which its end is counted. An earlier version did not keep it.
    private var pageRecordedAt: Int64 {
        outcome.session?.recordedAt ?? (outcome.settledBy == nil ? updatedAt : createdAt)
    }

    /// Keeps the end of a page before its row changes.
    mutating func keepExpiry() {
        let time = pageRecordedAt
        outcome.session?.recordedAt = time
    }

    /// Whether the record of a page's payment, which may come late, is to be expected by now: as much time has passed since the
    /// page's end as it was open.
    ///
    /// - Parameter now: milliseconds since 1970.
    package func isRecordOverdue(now: Int64) -> Bool {
        let (time, isBeyond) = (expiry - pageRecordedAt).multipliedReportingOverflow(by: 2)
        return !isBeyond && now - createdAt >= time
    }
}

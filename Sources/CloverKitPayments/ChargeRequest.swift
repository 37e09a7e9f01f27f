import CloverHTTP
public import CloverKit
import CloverOutput
import CloverPayments
import Glibc

/// A charge of a card that is not present, over Clover's Ecommerce API.
///
/// ```swift
/// var request = ChargeRequest(
///     amount: 1250, currency: "USD", cardToken: token, key: "order-1017", payerAddress: "203.0.113.7")
/// request.tip = 200
/// request.tax = 103
/// request.note = "Order 1017"
/// request.receiptEmail = "payer@example.com"
/// print(request.amount.text(in: request.currency), request.payerAddress)
/// print(try await Charges(for: shop).charge(request).outcome)
/// ```
public struct ChargeRequest: Sendable, Hashable {
    /// The amount in the smallest unit of the currency, with the tax and without the tip.
    public var amount: CloverKit.Money
    /// ISO 4217 code, such as `USD`: the merchant's currency.
    public var currency: String
    /// The key that names this charge. The same key is not charged twice, by `Charges.charge(_:)`: pass one that belongs to
    /// what is paid for, such as the id of your order. 1 to 64 letters, digits, `-`, `_` and `.`.
    public var key: String
    /// The payer's IP address, which Clover asks for.
    public var payerAddress: String
    /// The tip in the smallest unit, which is added to the amount; nil for none.
    public var tip: CloverKit.Money?
    /// The part of the amount that is tax, in the smallest unit; nil if unknown.
    public var tax: CloverKit.Money?
    /// The description of the charge at Clover; nil for none.
    public var note: String?
    /// Where Clover sends a receipt; nil for none.
    public var receiptEmail: String?
    /// Whether the money is only held until `Charges.capture(chargeKey:amount:key:)` collects it. A hold takes no tip.
    public var isHold = false
    private let token: String

    /// A charge at once, without tip, note and receipt.
    ///
    /// - Parameters:
    ///   - amount: the amount in the smallest unit of the currency.
    ///   - currency: ISO 4217 code, such as `USD`.
    ///   - cardToken: a token of the card, `clv_...`, which Clover's page elements or its API made. It is for one charge, and
    ///     is neither stored nor part of an error.
    ///   - key: the key that names this charge.
    ///   - payerAddress: the payer's IP address.
    public init(amount: CloverKit.Money, currency: String, cardToken: String, key: String, payerAddress: String) {
        self.amount = amount
        self.currency = currency
        self.key = key
        self.payerAddress = payerAddress
        token = cardToken
    }

    var source: CardSource { .token(Secret(token)) }

    /// - Parameter now: milliseconds since 1970.
    /// - Throws: `CloverError` of the kind `.request`.
    func operation(environment: String, merchantID: String, now: Int64) throws(CloverError) -> PaymentOperation {
        guard Self.isAddress(payerAddress) else { throw Self.refused("the payer's address is not an IP address") }
        guard !token.isEmpty, token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
            token.contains(where: { !$0.isNumber && $0 != "-" })
        else { throw Self.refused("the card token is not one; card numbers are not taken") }
        do {
            let currency = try AmountText.currency(currency)
            var plan = ChargePlan(
                rail: .ecommerce,
                amount: CloverPayments.Money(minorUnits: amount.minorUnits, currency: currency))
            if isHold { plan.type = .preauth }
            plan.tip = tip?.minorUnits
            plan.tax = tax?.minorUnits
            plan.description = note
            plan.receiptEmail = receiptEmail
            plan.idempotencyKey = key
            plan.clientAddress = payerAddress
            plan.sourceMark = String(token.suffix(4))
            try plan.check(environment: environment)
            return try plan.operation(environment: environment, merchantID: merchantID, now: now)
        } catch {
            throw Charges.refusal(error)
        }
    }

    private static func isAddress(_ text: String) -> Bool {
        var bytes = in6_addr()
        return inet_pton(AF_INET, text, &bytes) == 1 || inet_pton(AF_INET6, text, &bytes) == 1
    }

    private static func refused(_ message: String) -> CloverError {
        CloverError(.request, message, nextStep: "correct the request; nothing was charged")
    }
}

extension ChargeRequest: CustomReflectable {
    /// The key, amount and currency, without the token.
    public var customMirror: Mirror {
        Mirror(self, children: ["key": key, "amount": amount.minorUnits, "currency": currency])
    }
}

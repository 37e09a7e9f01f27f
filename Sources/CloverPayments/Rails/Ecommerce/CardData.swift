import CloverAPI
package import CloverHTTP
import CloverJSON
import CloverRateLimit
import FoundationEssentials

/// Card data as typed in: turned into a token at once, and not kept. It prints as `(redacted)`.
package struct CardData: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Digits only.
    package let number: Secret
    private let month: String
    private let year: String
    package let code: Secret

    /// What is wrong with the card data; never the data itself.
    package enum Fault: Error, Equatable, Sendable {
        /// Nothing was entered.
        case absent
        case notJSON
        case missing(field: String)
        case number
        case checkDigit
        case month
        case year
        /// The card has expired.
        case expired
        case securityCode
        /// This brand's security code has another number of digits.
        case securityCodeLength(Int)
    }

    /// Reads `{"number":"...","exp_month":"12","exp_year":"2030","cvv":"123"}` (Clover: create a card token).
    package init(json: [UInt8]) throws(Fault) {
        if json.allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }) { throw .absent }
        guard let tree = JSONTree(json) else { throw .notJSON }
        let card = tree["card"] ?? tree
        func text(_ name: String) throws(Fault) -> String {
            guard let value = card[name]?.string ?? card[name]?.int.map({ "\($0)" }) else {
                throw .missing(field: name)
            }
            return value
        }
        try self.init(
            number: try text("number"), month: try text("exp_month"), year: try text("exp_year"),
            code: try text("cvv"))
    }

    /// - Parameters:
    ///   - number: spaces and dashes are removed.
    ///   - year: four digits, or the last two.
    package init(number: String, month: String, year: String, code: String) throws(Fault) {
        self.number = Secret(try Self.digits(of: number))
        let expiry = try Self.expiry(month: month, year: year)
        self.month = expiry.month < 10 ? "0\(expiry.month)" : "\(expiry.month)"
        self.year = expiry.year
        guard Self.isDigits(code), (3...4).contains(code.count) else { throw .securityCode }
        self.code = Secret(code)
    }

    /// Checks a card number by itself.
    package static func checkNumber(_ number: String) throws(Fault) { _ = try digits(of: number) }

    /// Checks an expiration date by itself.
    ///
    /// - Parameter now: the current year and month. A card is valid to the end of its month.
    package static func checkExpiry(month: String, year: String, now: (year: Int, month: Int)) throws(Fault) {
        let expiry = try expiry(month: month, year: year)
        guard let year = Int(expiry.year), (year, expiry.month) >= now else { throw .expired }
    }

    /// Checks a security code for the card with this number: four digits for American Express, otherwise three.
    package static func checkCode(_ code: String, ofCard number: String) throws(Fault) {
        let length = brand(of: try digits(of: number)) == "AMEX" ? 4 : 3
        guard isDigits(code), code.count == length else { throw .securityCodeLength(length) }
    }

    private static func digits(of number: String) throws(Fault) -> String {
        let digits = number.filter { $0 != " " && $0 != "-" }
        guard (12...19).contains(digits.count), isDigits(digits) else { throw .number }
        guard hasCheckDigit(digits) else { throw .checkDigit }
        return digits
    }

    private static func expiry(month: String, year: String) throws(Fault) -> (month: Int, year: String) {
        guard isDigits(month), let number = Int(month), (1...12).contains(number) else { throw .month }
        guard isDigits(year), year.count == 2 || year.count == 4 else { throw .year }
        return (number, year.count == 2 ? "20" + year : year)
    }

    package var description: String { "(redacted)" }
    package var debugDescription: String { "(redacted)" }
    package var customMirror: Mirror { Mirror(self, children: []) }

    /// The body of `POST /v1/tokens`.
    func tokenBody() throws -> HTTPRequestBody {
        struct Body: Encodable {
            struct Card: Encodable {
                var number: String
                var exp_month: String
                var exp_year: String
                var cvv: String
                var brand: String?
            }
            var card: Card
        }
        let card = Body.Card(
            number: number.exposed, exp_month: month, exp_year: year, cvv: code.exposed,
            brand: Self.brand(of: number.exposed))
        return HTTPRequestBody(bytes: Array(try BodyText.encode(Body(card: card)).utf8))
    }

    private static func isDigits(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// The check digit of ISO/IEC 7812-1, annex B.
    private static func hasCheckDigit(_ digits: String) -> Bool {
        var sum = 0
        for (index, byte) in digits.utf8.reversed().enumerated() {
            let digit = Int(byte - UInt8(ascii: "0"))
            let doubled = digit * 2
            sum += index.isMultiple(of: 2) ? digit : doubled > 9 ? doubled - 9 : doubled
        }
        return sum.isMultiple(of: 10)
    }

    /// Clover's name for the card brand; nil if the first digits are not those of a known one.
    private static func brand(of digits: String) -> String? {
        guard let four = Int(digits.prefix(4)) else { return nil }
        switch four {
        case 4000...4999: return "VISA"
        case 5100...5599, 2221...2720: return "MC"
        case 3400...3499, 3700...3799: return "AMEX"
        case 6011, 6440...6599: return "DISCOVER"
        case 3000...3059, 3600...3699, 3800...3999: return "DINERS_CLUB"
        case 3528...3589: return "JCB"
        default: return nil
        }
    }
}

/// The payment source of an ecommerce charge.
package enum CardSource: Sendable {
    /// A single-use token, or a customer with a card on file.
    case token(Secret)
    case card(CardData)

    /// The last digits of the card's number; nil for a token.
    var last4: String? {
        guard case .card(let card) = self else { return nil }
        return String(card.number.exposed.suffix(4))
    }
}

/// Creates a card token, which is valid for one charge (Clover: generate a PAKMS key; create a card token).
struct Tokenizer {
    let client: PaymentClient

    /// Why there is no token; nothing was charged.
    struct Refusal: Error {
        var ending: Evidence.NeverSentEnding
        var outcome: OperationOutcome
        /// The underlying error, where it says more.
        var cause: (any Error)?
    }

    /// No money moves here, so a lost response only wastes a token.
    func token(for card: CardData) async throws(Refusal) -> Secret {
        let key = try await key()
        var request = ServiceRequest(
            .post, (client.hosts.tokens ?? "") + "/v1/tokens", body: try body(card),
            additions: [HTTPHeader(name: "apikey", value: key)])
        request.isAuthorized = false
        let tree = try await send(request, "no token could be created for the card")
        guard let id = tree["id"]?.string else {
            throw Refusal(
                ending: .failed, outcome: OperationOutcome(reason: "the service returned no token for the card"))
        }
        return Secret(id)
    }

    private func body(_ card: CardData) throws(Refusal) -> HTTPRequestBody {
        do {
            return try card.tokenBody()
        } catch {
            throw Refusal(ending: .failed, outcome: OperationOutcome(reason: "the card cannot be written as JSON"))
        }
    }

    /// The public key for the merchant's tokens. The documentation names two hosts for it.
    private func key() async throws(Refusal) -> String {
        let bases = [client.hosts.ecommerce, client.hosts.api].compactMap(\.self)
        var last: Refusal?
        for base in bases {
            do {
                let tree = try await send(
                    ServiceRequest(.get, base + "/pakms/apikey"), "the merchant's card key could not be read")
                if let key = tree["apiAccessKey"]?.string { return key }
                last = Refusal(
                    ending: .failed, outcome: OperationOutcome(reason: "the service returned no card key"))
            } catch {
                last = error
            }
        }
        throw last
            ?? Refusal(
                ending: .failed, outcome: OperationOutcome(reason: "this region has no service for card tokens"))
    }

    private func send(_ request: ServiceRequest, _ failure: String) async throws(Refusal) -> JSONTree {
        switch await client.exchange(request) {
        case .answer(let status, let body, _):
            if (200...299).contains(status), let tree = JSONTree(body) { return tree }
            let refusal = ServiceErrorBody(body)
            var outcome = OperationOutcome(reason: failure, http: status)
            outcome.code = refusal.code
            outcome.text = refusal.text
            let isCard = refusal.code.flatMap(PaymentErrorCode.meaning)?.cause == .card
            throw Refusal(ending: isCard ? .declined : .failed, outcome: outcome)
        case .notCarriedOut(let error):
            let cause = (error as? LedgerError).map { ": \($0)" } ?? ""
            throw Refusal(ending: .failed, outcome: OperationOutcome(reason: failure + cause), cause: error)
        case .lost(let reason):
            var outcome = OperationOutcome(reason: "\(failure): \(reason)")
            // A code of this program: without one the charge would count as declined, and the card is not the cause.
            outcome.code = "answer_lost"
            throw Refusal(ending: .failed, outcome: outcome)
        }
    }
}

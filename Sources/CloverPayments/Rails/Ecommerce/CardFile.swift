import CloverAPI
import CloverHTTP
import CloverJSON
import CloverSystem

/// The card that a charge saves for later charges.
package struct CardOnFile: Codable, Sendable, Equatable {
    /// Email address of the new customer.
    package var email: String
    /// Whether it is saved although an earlier charge may have saved one. Not recorded: each attempt says so.
    package var isAgain = false

    package init(email: String, isAgain: Bool = false) {
        self.email = email
        self.isAgain = isAgain
    }

    private enum CodingKeys: String, CodingKey { case email }
}

/// Customers with a card on file (Clover: save a card for future transactions; create a card-on-file customer). Nothing
/// here moves money. No idempotency key is documented, so a customer is looked up by email address before one is made.
package struct CardFile: Sendable {
    let client: PaymentClient
    let merchantID: String
    private let sleep: @Sendable (Double) async throws -> Void

    private static let pageSize = Endpoint.usualPage
    /// The service cuts nested lists there.
    private static let nestedLimit = 100

    /// How often a customer is read after a change that is not shown yet.
    private static let looks = 4
    /// Seconds between two of them.
    private static let lookPause = 1.0

    private var records: RecordReader { RecordReader(client: client) }

    /// - Parameter sleep: waits this many seconds; throws when cancelled.
    package init(
        client: PaymentClient, merchantID: String, sleep: @escaping @Sendable (Double) async throws -> Void
    ) {
        self.client = client
        self.merchantID = merchantID
        self.sleep = sleep
    }

    /// A customer's card.
    package struct Card: Sendable, Equatable {
        /// The ID by which it is revoked.
        package let id: String
        package let details: CardDetails
        /// Month and year, such as `1230`; nil if unknown.
        package let expires: String?
    }

    /// The customers with this email address, in upper or lower case.
    package func customers(email: String) async throws(CardFileError) -> [String] {
        let found = try await customers(email: email, "filter=emailAddress%3D\(PercentCoding.encode(email))&")
        // The filter may tell upper case from lower case, so that only the whole list shows that there is none.
        return found.isEmpty ? try await customers(email: email, "") : found
    }

    private func customers(email: String, _ filter: String) async throws(CardFileError) -> [String] {
        var found: [String] = []
        let path = "/v3/merchants/\(merchantID)/customers?\(filter)expand=emailAddresses"
        do throws(RecordReader.Failure) {
            try await records.list(path, pageSize: Self.pageSize) { id, row in
                // The service may ignore the filter.
                if Self.has(email, row) { found.append(id) }
            }
        } catch {
            throw CardFileError(error, "the customers cannot be read")
        }
        return found
    }

    /// Whether a customer, with the addresses expanded, has this one.
    private static func has(_ email: String, _ customer: JSONTree) -> Bool {
        let addresses = customer["emailAddresses"]?["elements"]?.list ?? customer["emailAddresses"]?.list ?? []
        return addresses.contains { $0["emailAddress"]?.string?.lowercased() == email.lowercased() }
    }

    /// Whether the customer with this ID certainly has the address.
    private func has(_ email: String, customer: String) async -> Bool {
        do throws(RecordReader.Failure) {
            let path = "/v3/merchants/\(merchantID)/customers/\(PercentCoding.encode(customer))?expand=emailAddresses"
            let tree = try await records.response(path).tree
            return tree["id"]?.string == customer && Self.has(email, tree)
        } catch {
            return false
        }
    }

    /// The customer for whom an earlier attempt of the same charge saved the card: the only one with the address, with this
    /// card alone.
    ///
    /// - Parameters:
    ///   - last4: the last digits of the card; nil if they are not known.
    ///   - request: what the journal has of earlier attempts.
    /// - Returns: nil if the card is to be saved.
    /// - Throws: `CardFileError.exists` if a customer has the address otherwise.
    func customer(
        of card: CardOnFile, last4: String?, after request: OperationRequest
    ) async throws(CardFileError) -> String? {
        var customer = request.customer
        if customer == nil {
            let found = try await customers(email: card.email)
            guard let first = found.first else { return nil }
            guard request.isSavingCard == true, found.count == 1 else {
                throw .exists(email: card.email, customer: first)
            }
            customer = first
        }
        guard let customer else { return nil }
        let cards = try await cards(of: customer)
        guard cards.count == 1, last4 == nil || cards[0].details.last4 == last4 else {
            throw .exists(email: card.email, customer: customer)
        }
        return customer
    }

    static let path = "/v1/customers"

    static func body(of card: CardOnFile, _ token: Secret, isKeyed: Bool) -> [String: String] {
        ["email": card.email, "source": token.exposed, "ecomind": isKeyed ? "moto" : "ecom"]
    }

    /// Makes a customer with a card; gives the customer's ID.
    ///
    /// - Parameter token: the card's token, which is used up.
    func save(_ card: CardOnFile, _ token: Secret, isKeyed: Bool) async throws(CardFileError) -> String {
        let body = Self.body(of: card, token, isKeyed: isKeyed)
        let response: Response
        do throws(CardFileError) {
            response = try await write(.post, Self.path, body, "the card was not saved")
        } catch {
            // A refusal, such as a decline, may be the repeated response to another request: the records have the word.
            guard case .refused(_, let outcome, cause: nil) = error, let status = outcome.http else { throw error }
            let doubt = await lost(card.email, "the service refused it (\(outcome.code ?? "\(status)"))")
            if case .saveLost(_, _, customer: nil) = doubt.error, doubt.isRead { throw error }
            throw doubt.error
        }
        switch response {
        case .tree(let tree):
            guard let id = tree["id"]?.string, !id.isEmpty else {
                throw await lost(card.email, "the response names no customer").error
            }
            // A proxy may repeat the response about another customer, whose card would be charged.
            let shown = tree["email"]?.string
            let isSame =
                if let shown { shown.lowercased() == card.email.lowercased() } else {
                    await has(card.email, customer: id)
                }
            guard isSame else { throw await lost(card.email, "the response is about another customer").error }
            return id
        case .accepted: throw await lost(card.email, "the response names no customer").error
        case .lost(let reason): throw await lost(card.email, reason).error
        }
    }

    /// Looks for the customer that may have been made.
    ///
    /// - Returns: the error, and whether the list of customers could be read.
    private func lost(_ email: String, _ reason: String) async -> (error: CardFileError, isRead: Bool) {
        do throws(CardFileError) {
            let customer = try await customers(email: email).first
            return (.saveLost(email: email, reason: reason, customer: customer), true)
        } catch {
            return (.saveLost(email: email, reason: reason, customer: nil), false)
        }
    }

    /// A customer's cards on file.
    ///
    /// - Throws: `CardFileError.malformed` if the response may not show all.
    package func cards(of customer: String) async throws(CardFileError) -> [Card] {
        let path = "/v3/merchants/\(merchantID)/customers/\(PercentCoding.encode(customer))?expand=cards"
        let tree: JSONTree
        do throws(RecordReader.Failure) {
            tree = try await records.response(path).tree
        } catch {
            throw CardFileError(error, "the customer cannot be read")
        }
        guard let id = tree["id"]?.string else { throw .malformed(reason: "the customer cannot be understood") }
        guard id == customer else { throw .malformed(reason: "the response is about another customer") }
        // The service ignores an expansion that it does not know without a word: without a list, nothing is proved.
        let rows = tree["cards"]?["elements"]?.list ?? tree["cards"]?.list
        let cards = (rows ?? []).compactMap { card in
            card["id"]?.string.map {
                Card(
                    id: $0,
                    details: CardDetails(
                        type: card["cardType"]?.string, first6: card["first6"]?.digits(6),
                        last4: card["last4"]?.digits(4)),
                    expires: card["expirationDate"]?.string)
            }
        }
        guard cards.count == rows?.count, cards.count < Self.nestedLimit else {
            throw .malformed(reason: "the response may not show all cards of the customer \(customer)")
        }
        return cards
    }

    /// A customer's cards after a change: as soon as they are as expected, or as they are after a few seconds, because what
    /// the service shows may lag.
    private func cards(
        of customer: String, until isExpected: ([Card]) -> Bool
    ) async throws(CardFileError) -> [Card] {
        var now = try await cards(of: customer)
        for _ in 1..<Self.looks where !isExpected(now) {
            do {
                try await sleep(Self.lookPause)
            } catch {
                // The run ends: what was shown last counts.
                break
            }
            now = try await cards(of: customer)
        }
        return now
    }

    /// Takes a card off file. A response about this card has to say that it is, because a list may lag; and the customer must
    /// not show it any more, at least after a few seconds, because a proxy may repeat a response.
    ///
    /// - Throws: `CardFileError.revokeLost` unless both do.
    package func revoke(_ card: String, of customer: String) async throws(CardFileError) {
        try await remove(card, of: customer)
        let reason: String
        do throws(CardFileError) {
            func shows(_ cards: [Card]) -> Bool { cards.contains { $0.id == card } }
            guard shows(try await cards(of: customer, until: { !shows($0) })) else { return }
            reason = "the service accepted it, and still shows the card"
        } catch {
            reason = "the service accepted it, and the customer's cards cannot be read again"
        }
        throw .revokeLost(customer: customer, card: card, reason: reason)
    }

    /// Requests that a card is taken off file, again after a lost response.
    ///
    /// - Throws: `CardFileError.revokeLost` unless a response says that it is.
    private func remove(_ card: String, of customer: String) async throws(CardFileError) {
        let path = "/v1/customers/\(PercentCoding.encode(customer))/sources/\(PercentCoding.encode(card))"
        let failure = "the card was not revoked"
        guard let reason = Self.doubt(of: try await write(.delete, path, nil, failure), about: card) else { return }
        do throws(CardFileError) {
            if Self.doubt(of: try await write(.delete, path, nil, failure), about: card) == nil { return }
        } catch {
            if case .refused(_, let outcome, _) = error, outcome.http == 404, outcome.code == Self.missingSource {
                return
            }
            // Anything else says nothing about the first one.
        }
        throw .revokeLost(customer: customer, card: card, reason: reason)
    }

    /// Why a response to the revocation of a card does not say that it is off file; nil if it does. One without a body
    /// says so by its status.
    private static func doubt(of response: Response, about card: String) -> String? {
        switch response {
        case .lost(let reason): return reason
        case .accepted: return nil
        case .tree(let tree):
            if let id = tree["id"]?.string, id != card { return "the response is about another one" }
            return tree["deleted"]?.bool == true ? nil : "the response does not say that the card is off file"
        }
    }

    /// Puts another card on file: the present ones are revoked first, because there is one at a time.
    ///
    /// - Returns: the customer's cards now.
    /// - Throws: `CardFileError.lost` unless the customer shows the new card, and no earlier one.
    package func replace(of customer: String, with source: CardSource) async throws(CardFileError) -> [Card] {
        let present = try await cards(of: customer)
        let token: Secret
        switch source {
        case .token(let secret): token = secret
        case .card(let card):
            do throws(Tokenizer.Refusal) {
                token = try await Tokenizer(client: client).token(for: card)
            } catch {
                throw .refused(
                    what: "the card was not replaced", error.outcome, cause: error.cause)
            }
        }
        var revoked: Set<String> = []
        let response: Response
        do throws(CardFileError) {
            for card in present {
                try await remove(card.id, of: customer)
                revoked.insert(card.id)
            }
            response = try await write(
                .put, "/v1/customers/" + PercentCoding.encode(customer), ["source": token.exposed],
                present.isEmpty
                    ? "the card was not saved" : "the earlier card was revoked, and the new one was not saved")
        } catch {
            if revoked.isEmpty, !present.isEmpty { throw error }
            throw await unfinished(error, of: customer, revoked, hasRest: revoked.count < present.count)
        }
        let now: [Card]
        do throws(CardFileError) {
            now = try await cards(of: customer) { cards in
                !cards.isEmpty && !cards.contains { card in present.contains { $0.id == card.id } }
            }
        } catch {
            throw .lost(customer: customer, reason: "the customer's cards cannot be read again")
        }
        let earlier = now.filter { card in present.contains { $0.id == card.id } }
        if !earlier.isEmpty { throw .lost(customer: customer, reason: "the customer still shows the earlier card") }
        guard now.isEmpty else { return now }
        if case .lost(let reason) = response { throw .lost(customer: customer, reason: reason) }
        throw .lost(customer: customer, reason: "the customer shows no new card")
    }

    /// What is known of a replacement that did not succeed: what the customer shows afterwards, because the response to a
    /// revocation, or a refusal, may be that to another request.
    ///
    /// - Parameters:
    ///   - error: why the last step did not succeed.
    ///   - revoked: the cards whose revocation the service confirmed.
    ///   - hasRest: whether the last step was the revocation of another card, and not the saving of the new one.
    private func unfinished(
        _ error: CardFileError, of customer: String, _ revoked: Set<String>, hasRest: Bool
    ) async -> CardFileError {
        let failed: String
        switch error {
        case .refused(_, let outcome, cause: let cause?):
            // Not sent: nothing can be read either.
            guard hasRest else { return error }
            return .refused(
                what: "a card was revoked, another one was not, and the new one was not saved", outcome, cause: cause)
        case .refused(_, let outcome, cause: nil):
            let words = outcome.code ?? outcome.http.map { "\($0)" } ?? ""
            failed = "the service refused \(hasRest ? "to revoke another one" : "the new card") (\(words))"
        default: failed = "another one may still be on file (\(error.reason))"
        }
        let now: [Card]
        do throws(CardFileError) {
            now = try await cards(of: customer) { cards in !cards.contains { revoked.contains($0.id) } }
        } catch {
            return .lost(customer: customer, reason: "\(failed), and the customer's cards cannot be read again")
        }
        if now.contains(where: { revoked.contains($0.id) }) {
            return .lost(customer: customer, reason: "\(failed), and the customer still shows the earlier card")
        }
        if !hasRest, now.isEmpty { return error }
        let shown = now.isEmpty ? "no card" : "the card " + now.map(\.id).joined(separator: ", ")
        let done = hasRest ? "a card was revoked, the new one was not saved, " : ""
        return .lost(customer: customer, reason: "\(done)\(failed), and the customer shows \(shown)")
    }

    /// What Clover says about a source or customer that is not there.
    private static let missingSource = "resource_missing"

    private enum Response {
        case tree(JSONTree)
        /// A success without a body.
        case accepted
        case lost(String)
    }

    private func write(
        _ method: HTTPMethod, _ path: String, _ body: [String: String]?, _ failure: String
    ) async throws(CardFileError) -> Response {
        let text: String
        do {
            text = try body.map { try BodyText.encode($0) } ?? ""
        } catch {
            throw .unreadable(reason: "the request cannot be written as JSON")
        }
        let request = ServiceRequest(
            method, (client.hosts.ecommerce ?? "") + path,
            body: body == nil ? nil : HTTPRequestBody(bytes: Array(text.utf8)))
        switch await client.exchange(request) {
        case .answer(let status, let body, _):
            if (200...299).contains(status) {
                if body.isEmpty { return .accepted }
                guard let tree = JSONTree(body) else {
                    return .lost("the response (\(status)) cannot be understood")
                }
                return .tree(tree)
            }
            guard (400...499).contains(status), ![408, 409, 425].contains(status),
                ServiceErrorForm.matches(status: status, body)
            else { return .lost("the service answered \(status)") }
            throw CardFileError(.answered(status, body), failure)
        case .notCarriedOut(let error): throw CardFileError(.unsent(error), failure)
        case .lost(let reason): return .lost(reason)
        }
    }
}

/// Why a card on file could not be saved, read or revoked.
package enum CardFileError: Error, Sendable {
    /// A customer has the email address already.
    case exists(email: String, customer: String)
    /// The records could not be read. Nothing was sent.
    case unreadable(reason: String)
    /// The same, because the response cannot be understood, or proves nothing.
    case malformed(reason: String)
    /// An earlier charge, which has this ID, may have saved a card for the address, and no customer shows it. Nothing was sent.
    case saveOpen(email: String, id: String)
    /// The service refused it, or it was not sent. `cause` is the underlying error, where it says more.
    case refused(what: String, OperationOutcome, cause: (any Error)?)
    /// The card may have been saved. `customer` has the email address now.
    case saveLost(email: String, reason: String, customer: String?)
    /// The card may have been revoked.
    case revokeLost(customer: String, card: String, reason: String)
    /// A change of a customer's card may have been carried out.
    case lost(customer: String, reason: String)

    /// - Parameter what: what did not succeed.
    init(_ failure: RecordReader.Failure, _ what: String) {
        switch failure {
        case .answered(let status, let body):
            let refusal = ServiceErrorBody(body)
            var outcome = OperationOutcome(http: status)
            outcome.code = refusal.code
            outcome.text = refusal.text
            self = .refused(what: what, outcome, cause: nil)
        case .unsent(let error): self = .refused(what: what, OperationOutcome(reason: what), cause: error)
        case .lost(let reason): self = .unreadable(reason: "\(what): \(reason)")
        case .malformed(let reason): self = .malformed(reason: "\(what): \(reason)")
        }
    }

    /// In this program's words, for the journal.
    var reason: String {
        switch self {
        case .exists(_, let customer): "the card was not saved: the customer \(customer) has the email address"
        case .unreadable(let reason), .malformed(let reason): "the card was not saved: \(reason)"
        case .saveOpen(let email, let id):
            "the card was not saved: \(id) may have saved one, as a customer with the address \(email)"
        case .refused(let what, _, _): what
        case .saveLost(_, let reason, let customer):
            "the card may have been saved\(customer.map { " as customer \($0)" } ?? ""): \(reason)"
        case .lost(_, let reason), .revokeLost(_, _, let reason): reason
        }
    }
}

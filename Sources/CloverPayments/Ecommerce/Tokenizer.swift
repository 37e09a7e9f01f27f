import CloverAPI
import CloverHTTP

/// Makes a card into a token that is good for one charge (Clover: generate a PAKMS key; create a card token).
struct Tokenizer {
    let client: PaymentClient

    /// Nothing was charged; why there is no token.
    struct Refusal: Error {
        var ending: Evidence.NeverSentEnding
        var outcome: OperationOutcome
        /// The error behind it, where there is one that says more.
        var cause: (any Error)?
    }

    /// No money moves by this, so that a lost answer only wastes a token.
    func token(for card: CardData) async throws(Refusal) -> Secret {
        let key = try await key()
        var request = ServiceRequest(
            .post, (client.hosts.tokens ?? "") + "/v1/tokens", body: try body(card),
            additions: [HTTPHeader(name: "apikey", value: key)])
        request.isAuthorized = false
        let tree = try await answer(request, "the card could not be made into a token")
        guard let id = tree["id"]?.string else {
            throw Refusal(ending: .failed, outcome: OperationOutcome(reason: "the service gave no token for the card"))
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

    /// The public key of the merchant's tokens. The documentation names two hosts for it.
    private func key() async throws(Refusal) -> String {
        let bases = [client.hosts.ecommerce, client.hosts.api].compactMap(\.self)
        var last: Refusal?
        for base in bases {
            do {
                let tree = try await answer(
                    ServiceRequest(.get, base + "/pakms/apikey"), "the merchant's key for cards could not be read")
                if let key = tree["apiAccessKey"]?.string { return key }
                last = Refusal(
                    ending: .failed, outcome: OperationOutcome(reason: "the service gave no key for cards"))
            } catch {
                last = error
            }
        }
        throw last ?? Refusal(ending: .failed, outcome: OperationOutcome(reason: "there is no service for cards here"))
    }

    private func answer(_ request: ServiceRequest, _ failure: String) async throws(Refusal) -> JSONTree {
        switch await client.exchange(request) {
        case .answer(let status, let body):
            if (200...299).contains(status), let tree = JSONTree(body) { return tree }
            let refusal = ServiceRefusal(body)
            var outcome = OperationOutcome(reason: failure, http: status)
            outcome.code = refusal.code
            outcome.text = refusal.text
            let isCard = refusal.code.flatMap(RefusalCode.meaning)?.cause == .card
            throw Refusal(ending: isCard ? .declined : .failed, outcome: outcome)
        case .notCarriedOut(let error):
            throw Refusal(ending: .failed, outcome: OperationOutcome(reason: failure), cause: error)
        case .lost(let reason):
            var outcome = OperationOutcome(reason: "\(failure): \(reason)")
            // A word of ours: without one it would count as declined, and the card is not to blame.
            outcome.code = "answer_lost"
            throw Refusal(ending: .failed, outcome: outcome)
        }
    }
}

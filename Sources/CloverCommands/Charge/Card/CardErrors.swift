import CloverCore
import CloverPayments

extension ErrorReport {
    /// A card on file that could not be saved, read or revoked.
    init(_ failure: CardFileError) {
        switch failure {
        case .exists(let email, let customer):
            self.init(
                .usage, "customer_exists",
                "a customer has the address \(email): \(customer); the card was not saved",
                "to charge that customer's card: clover charge --customer \(customer)",
                "to put this card in its place: clover charge card replace \(customer) --card - --consent")
        case .unreadable(let reason):
            self.init(.unavailable, "unreadable", reason, "run it again later")
        case .malformed(let reason):
            self.init(.nonsense, "unreadable", reason, "run it again later")
        case .saveOpen(let email, let id):
            self.init(
                .tryAgain, "card_save_unknown",
                "nothing was charged: an earlier charge may have saved a card for \(email), and no customer has the "
                    + "address yet: \(id)",
                "run it again later: a list may be late",
                "if the dashboard shows no such customer, add --save-again")
        case .refused(let what, let outcome, let cause):
            if let cause, case .report(let report) = Self.ending(of: cause) {
                self = report
                message = "\(what): \(message)"
                return
            }
            let words = outcome.code.flatMap(PaymentErrorCode.meaning)?.words ?? outcome.text ?? outcome.reason
            let status: ExitStatus =
                switch outcome.http {
                case 401, 403: .notAuthorized
                case 404: .notFound
                case let status?: status >= 500 ? .unavailable : .usage
                case nil: .unavailable
                }
            self.init(
                code: outcome.code ?? "refused", status: status, message: what + (words.map { ": \($0)" } ?? ""),
                http: outcome.http)
            if status == .notFound {
                hints = ["to find a customer: clover get customers --filter emailAddress=ADDRESS"]
            }
        case .saveLost(let email, let reason, let customer):
            self.init(
                .unavailable, "card_save_unknown",
                "nothing was charged, and the card may have been saved: \(reason)",
                customer.map { "a customer has the address now; charge the card: clover charge --customer \($0)" }
                    ?? "run it again later: it looks for a customer with the address \(email) first")
        case .revokeLost(let customer, let card, let reason):
            self.init(
                .outcomeUnknown, "outcome_unknown", "outcome unknown: the card \(card) may still be on file: \(reason)",
                "revoke it again: clover charge card revoke \(customer) \(card)")
        case .lost(let customer, let reason):
            self.init(
                .outcomeUnknown, "outcome_unknown",
                "outcome unknown: the card on file may have been changed: \(reason)",
                "see what is there now: clover charge card list \(customer)")
        }
    }
}

import CloverAuth
import CloverCore
import CloverOutput
import CloverPayments
import CloverSystem
import CloverWebhooks

/// Waits for the payment of a Hosted Checkout session.
struct CheckoutWatch {
    let journal: ChargeJournal
    let payments: CheckoutPayments
    let environment: CommandEnvironment
    /// Seconds between two looks at the orders.
    let interval: Double
    /// Seconds after the session's end.
    let linger: Double
    /// Seconds from now; nil for no limit.
    let maximumTime: Double?
    /// Whether to look once only, as after the session's end.
    var isOnce = false

    /// Seconds between two looks at the webhooks, which are on this machine.
    private static let webhookInterval = 0.5

    /// - Returns: the checkout with its payment.
    /// - Throws: `CheckoutError`. What it says of the page is in the journal then, as far as that can be written.
    func paid(_ checkout: PaymentOperation) async throws -> PaymentOperation {
        do {
            return try await payment(of: checkout)
        } catch let error as CheckoutError {
            // A person has judged it.
            if error.isAcknowledged(by: checkout) {
                if checkout.state == .approved { return checkout }
            } else {
                await record(error, of: checkout)
            }
            throw error
        }
    }

    private func payment(of checkout: PaymentOperation) async throws -> PaymentOperation {
        guard checkout.outcome.session != nil else {
            throw CheckoutError.unseen(
                id: checkout.id, isDeclined: false, reason: checkout.outcome.reason ?? "its address never arrived")
        }
        let start = Double(environment.clock.boot()) / 1000
        let boot = environment.clock.boot
        func elapsed() -> Double { Double(boot()) / 1000 - start }
        // The wall clock may be set meanwhile.
        let rest = Double(checkout.expiry - environment.clock.wall()) / 1000 + linger
        var next = 0.0
        var declines = 0
        var trouble: CheckoutError?
        var wasRead = false
        var records = Records()
        // A record may come after the webhook.
        var looksAfterWebhook = 0
        while true {
            let heard = try await webhooks(of: checkout)
            var approved = Self.payments(heard, known: checkout)
            let stated = Self.contradictions(in: heard, to: checkout)
            let count = heard.count { $0.type == "DECLINED" }
            let isOutOfTime = maximumTime.map { elapsed() >= $0 } ?? false
            let isLast = isOnce || elapsed() >= rest || isOutOfTime && !approved.isEmpty
            if isLast || elapsed() >= next || (!approved.isEmpty && looksAfterWebhook == 0) {
                if !approved.isEmpty { looksAfterWebhook += 1 }
                var denial: CheckoutError?
                do throws(CheckoutError) {
                    records = try await recorded(checkout, &approved)
                    denial = records.denial
                    (trouble, wasRead) = (nil, true)
                    if let paid = try await judge(records, approved, stated, of: checkout) {
                        if let id = paid.outcome.paymentID, let reason = stated[id] ?? stated[""] {
                            environment.diagnostics.notice(
                                "\(reason); the merchant's records show it as paid, with the page's amount")
                        }
                        for finding in records.foreign.compactMap(\.finding) {
                            environment.diagnostics.warning(finding)
                        }
                        if let other = approved.first(where: { !$0.isEmpty && $0 != paid.outcome.paymentID }) {
                            environment.diagnostics.detail(
                                "a webhook with a valid signature names the payment \(other), which the merchant's records do "
                                    + "not have under this ID")
                        }
                        return paid
                    }
                } catch {
                    guard let reason = error.obstacle else { throw error }
                    if trouble == nil, !isOnce { environment.diagnostics.warning("\(reason); trying again") }
                    trouble = error
                }
                if approved.count > 1 {
                    throw await several(approved, Self.words(for: .tooMany, approved), checkout)
                }
                if let payment = approved.first, let reason = stated[payment] {
                    // Only the payment itself shows what was paid.
                    let fate = trouble == nil ? "do not show the payment so far" : "cannot be read"
                    denial = .otherAmount(
                        id: checkout.id, payment: payment.isEmpty ? OperationOutcome.unnamedPayment : payment,
                        reason: "\(reason), and the merchant's records \(fate)")
                    approved = []
                }
                // It was recorded before, and this is a look at the payment itself.
                if !approved.isEmpty, isOnce, checkout.isPaidByWebhookAlone, let trouble { throw trouble }
                // That a payment cannot be asked for by this ID says nothing about it, and a record may come late.
                if let payment = approved.first, isLast || looksAfterWebhook >= Self.looksAfterWebhook, trouble == nil,
                    Self.isRecordID(payment), checkout.isRecordOverdue(now: environment.clock.wall()),
                    checkout.isPaidByWebhookAlone || isOnce && checkout.outcome.isByHand != true
                {
                    if !checkout.isPaidByWebhookAlone {
                        _ = try await record(
                            CheckoutPayments.Payment(payment: payment), of: checkout, isByWebhookAlone: true,
                            "paid: by a signed webhook")
                    }
                    throw CheckoutError.unconfirmed(id: checkout.id, payment: payment)
                }
                if let payment = approved.first, isLast || looksAfterWebhook >= Self.looksAfterWebhook {
                    let fate = trouble == nil ? "do not show it so far" : "cannot be read"
                    let amount =
                        Self.isAmountStated(of: payment, in: heard, checkout)
                        ? "the amount that it states is that of the page"
                        : "nothing shows its amount, and that of the page is recorded"
                    environment.diagnostics.notice(
                        "a webhook with a valid signature reports the payment\(payment.isEmpty ? "" : " \(payment)"), and the "
                            + "merchant's records \(fate): \(amount)")
                    return try await record(
                        CheckoutPayments.Payment(payment: payment), of: checkout, isByWebhookAlone: true,
                        "paid: by a signed webhook")
                }
                next = elapsed() + interval
                // It may still be on its way there.
                if isLast, let denial { throw denial }
            }
            if isLast {
                if let trouble { throw trouble }
                if let earlier = checkout.earlierFinding, records.unpaid.isEmpty {
                    throw CheckoutError.notShown(id: checkout.id, reason: earlier)
                }
                throw CheckoutError.unseen(
                    id: checkout.id, isDeclined: count > 0, reason: nil, unpaid: records.unpaid)
            }
            if let maximumTime, isOutOfTime {
                if let trouble, !wasRead { throw trouble }
                if let earlier = checkout.earlierFinding, records.unpaid.isEmpty {
                    throw CheckoutError.notShown(id: checkout.id, reason: earlier)
                }
                throw CheckoutError.stillOpen(id: checkout.id, seconds: maximumTime)
            }
            if count > declines, approved.isEmpty {
                environment.diagnostics.notice("a card was declined; the customer can try again")
            }
            declines = count
            try await environment.sleep(min(Self.webhookInterval, interval))
        }
    }

    /// Looks at the records after a webhook before it is taken without one.
    private static let looksAfterWebhook = 3

    /// The payments that webhooks report, each once. One without an ID is the same as another.
    ///
    /// - Parameter known: the page, which may have one of an earlier run: webhooks are not kept for ever.
    private static func payments(_ notices: [CheckoutNotice], known page: PaymentOperation) -> [String] {
        let approved = notices.filter { $0.type == "APPROVED" }
        var ids: [String] = []
        let earlier = page.isPaidByWebhookAlone ? page.outcome.paymentID : nil
        for id in ([earlier] + approved.map(\.payment)).compactMap(\.self) where !id.isEmpty && !ids.contains(id) {
            ids.append(id)
        }
        return ids.isEmpty && (!approved.isEmpty || earlier != nil) ? [""] : ids
    }

    /// Which of these payments have another amount in a webhook's message than the page asked for, or are declined in another
    /// webhook, with a clause about it.
    private static func contradictions(in notices: [CheckoutNotice], to page: PaymentOperation) -> [String: String] {
        guard let currency = page.amount?.currency, let asked = page.asked else { return [:] }
        var found: [String: String] = [:]
        for notice in notices where notice.type == "APPROVED" {
            let amount = CheckoutPayments.Payment.amount(statedIn: notice.message, currency)
            let payment = CheckoutPayments.Payment(payment: notice.payment ?? "", amount: amount)
            guard let message = notice.message else { continue }
            // Beside the status APPROVED.
            let isDecline = message.lowercased().hasPrefix("decline")
            guard isDecline || payment.contradiction(to: page) != nil else { continue }
            found[payment.payment] = "its webhook says '\(message)', and the page asked for \(asked)"
        }
        let declined = notices.filter { $0.type == "DECLINED" }.compactMap(\.payment)
        for id in notices.filter({ $0.type == "APPROVED" }).compactMap(\.payment)
        where !id.isEmpty && declined.contains(id) {
            found[id] = bothEndings
        }
        return found
    }

    private static let bothEndings = "webhooks with valid signatures report it as approved and as declined"

    /// Whether a webhook's message states the amount of a payment, in the form that is known.
    private static func isAmountStated(
        of payment: String, in notices: [CheckoutNotice], _ page: PaymentOperation
    ) -> Bool {
        guard let currency = page.amount?.currency else { return false }
        return notices.contains { notice in
            notice.type == "APPROVED" && notice.payment ?? "" == payment
                && CheckoutPayments.Payment.amount(statedIn: notice.message, currency) != nil
        }
    }

    /// What the merchant's records show of a page.
    private struct Records {
        /// The payments that took money: by the page's reference, and those that webhooks name.
        var found: [CheckoutPayments.Payment] = []
        /// Those of the page's order that are not known to have taken money.
        var unpaid: [CheckoutPayments.Unpaid] = []
        /// What was refunded of several payments, without naming one of them.
        var looseRefund: Int64?
        /// The error about a payment of a webhook that is not the page's.
        var denial: CheckoutError?
        /// The errors about those that are in orders of other pages.
        var foreign: [CheckoutError] = []
    }

    /// - Parameter approved: payments that webhooks report as approved; those that are not the page's by the records, or took
    ///   no money, are removed.
    private func recorded(
        _ checkout: PaymentOperation, _ approved: inout [String]
    ) async throws(CheckoutError) -> Records {
        let look = try await payments.look(for: checkout, named: approved)
        var found = look.paid
        let foreign = try await foreignPayments(look.elsewhere, to: checkout)
        approved.removeAll { foreign[$0] != nil }
        // One that was voided since is no end if another payment took its place; one that is held may still take money.
        let isReplaced = !found.allSatisfy(\.isGivenBack)
        if let known = look.unpaid.first(where: { $0.change(of: checkout) != nil }),
            let change = known.change(of: checkout)
        {
            if !isReplaced || !known.isOver { throw change }
        } else if let known = checkout.recordedPayment, !found.contains(where: { $0.payment == known }) {
            guard let payment = try await payments.payment(known, of: checkout) else {
                let others = found.map(\.payment).joined(separator: ", ")
                throw .otherAmount(
                    id: checkout.id, payment: known,
                    reason: "it was recorded as paid, and the merchant's records do not have it now"
                        + (others.isEmpty ? "" : "; they show another payment: \(others)"))
            }
            found.append(payment)
        }
        var denial = foreign.values.first
        for payment in look.unpaid where !payment.payment.isEmpty && approved.contains(payment.payment) {
            denial = payment.denial(of: checkout)
            approved.removeAll { $0 == payment.payment }
        }
        // A webhook may name a payment by a UUID, or not at all: it may be about one that was voided since.
        let unnamed = approved.filter { !Self.isRecordID($0) }
        let voided = look.unpaid.filter(\.isVoided)
        if found.isEmpty, !unnamed.isEmpty, unnamed.count <= voided.count {
            denial = .otherAmount(
                id: checkout.id, payment: voided[0].payment,
                reason:
                    "a webhook with a valid signature reports a payment of the page as approved, and the merchant's records "
                    + "show this one " + voided[0].words)
            approved.removeAll { unnamed.contains($0) }
        }
        for id in approved where Self.canBeAsked(id) && !found.contains(where: { $0.payment == id }) {
            do throws(CheckoutError) {
                if let payment = try await payments.payment(id, of: checkout) { found.append(payment) }
            } catch {
                if error.obstacle != nil, !found.isEmpty {
                    // Under a UUID, it may be the one that was found.
                    if !Self.isRecordID(id) { continue }
                    // Beside another payment, the webhook alone does not show which one is the page's.
                    approved.removeAll { $0 == id }
                    guard case .unreadable(let reason) = error else { throw error }
                    let others = found.map(\.payment).joined(separator: ", ")
                    throw .unreadable("\(reason), such as \(id); the page's order shows \(others)")
                }
                guard case .otherAmount = error else { throw error }
                denial = error
                approved.removeAll { $0 == id }
            }
        }
        return Records(
            found: found, unpaid: look.unpaid, looseRefund: look.looseRefund, denial: denial,
            foreign: Array(foreign.values))
    }

    /// The errors about payments in orders that have the reference of another page in their notes. An order without any may
    /// be this page's.
    private func foreignPayments(
        _ elsewhere: [String: CheckoutPayments.Look.Elsewhere], to checkout: PaymentOperation
    ) async throws(CheckoutError) -> [String: CheckoutError] {
        var errors: [String: CheckoutError] = [:]
        for (payment, place) in elsewhere {
            let page: String?
            do {
                page = try await journal.page(besides: checkout, withReference: place.references)
            } catch {
                throw CheckoutError.unreadable("the journal cannot be read")
            }
            guard let page else { continue }
            errors[payment] = .otherAmount(
                id: checkout.id, payment: payment,
                reason:
                    "a webhook with a valid signature names it, and it is in the order \(place.order) of the page \(page)"
            )
        }
        return errors
    }

    /// Whether a payment can be asked for by this ID. That of a webhook may be a UUID, under which records need not be found.
    private static func canBeAsked(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    }

    /// Whether the text is an ID, and no UUID. A webhook's may be one, which says nothing about records.
    private static func isRecordID(_ text: String) -> Bool {
        canBeAsked(text)
            && text.wholeMatch(of: #/[0-9a-fA-F]{8}-?(?:[0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}/#) == nil
    }

    /// - Returns: the checkout with its payment; nil if none is found.
    /// - Throws: `CheckoutError` if there is more than one, or one that is not what the page asked for.
    private func judge(
        _ records: Records, _ approved: [String], _ stated: [String: String], of checkout: PaymentOperation
    ) async throws(CheckoutError) -> PaymentOperation? {
        // A payment of 0 is none beside others.
        let paying = records.found.filter { $0.amount != 0 }
        var found = paying.isEmpty ? records.found : paying
        let unpaid = records.unpaid
        var approved = approved
        // Of several, those that were given back, or voided since, count no more, unless more was refunded, of whichever.
        let loose = found.count > 1 ? records.looseRefund : nil
        let returned = loose == nil ? found.filter(\.isGivenBack) : []
        var former = returned.map(\.payment)
        let over = unpaid.filter(\.isOver).map(\.payment)
        let rest = loose == nil ? found.filter { !$0.isGivenBack } : found
        if rest.isEmpty, !found.isEmpty { try await checkReturned(returned, over, approved, checkout) }
        if let known = checkout.recordedPayment, !found.isEmpty, !found.contains(where: { $0.payment == known }) {
            former.append(known)
        }
        former += over
        if !rest.isEmpty {
            approved.removeAll { former.contains($0) }
            found = rest
        }
        // Records need not be found under the UUID of a webhook, but each webhook's payment is one.
        let others = approved.filter { !$0.isEmpty && !Self.isRecordID($0) }
        if !found.isEmpty, others.count > found.count {
            throw await several(others, Self.words(for: .tooMany, others), checkout)
        }
        var ids = found.map(\.payment)
        let isByHand = checkout.outcome.isByHand == true
        for id in approved + (isByHand ? [] : [checkout.outcome.paymentID].compactMap(\.self))
        where Self.isRecordID(id) && !ids.contains(id) && !ids.isEmpty && !former.contains(id)
            && stated[id] != Self.bothEndings
        {
            ids.append(id)
        }
        if ids.count > 1 {
            let sum = ids.count == found.count ? Self.sum(of: found, for: checkout) : .tooMany
            let all = Self.sum(ofRefunds: found)
            // A person has seen that they are parts.
            if case .whole = sum, isByHand, checkout.state == .approved, loose == nil {
                if let refund = all.refund(of: checkout) {
                    environment.diagnostics.warning(
                        "\(refund) of the page's payments were refunded since\(all.pendingNote)")
                }
                return checkout
            }
            let clause = all.refund(of: checkout).map { "; \($0) of them were refunded since\(all.pendingNote)" }
            var more = clause ?? ""
            if let loose {
                var refund = CheckoutPayments.Payment(payment: "")
                refund.refunded = loose
                more +=
                    "; of a refund of \(refund.refund(of: checkout) ?? "an unknown amount") it is not shown whose it is"
            }
            throw await several(ids, Self.words(for: sum, ids) + more, checkout)
        }
        if ids.isEmpty, approved.isEmpty, let payments = checkout.paymentsOfPage,
            payments.allSatisfy({ over.contains($0) })
        {
            let recorded = payments.first { $0 == checkout.outcome.paymentID } ?? payments[0]
            throw .otherAmount(
                id: checkout.id, payment: recorded,
                reason:
                    "it was seen as paid, and the merchant's records show that none of the page's payments took money: "
                    + unpaid.map(\.text).joined(separator: ", "))
        }
        guard var payment = found.first else { return nil }
        // A record without an amount does not outweigh what the webhook states.
        let statement = payment.amount == nil ? stated[payment.payment] ?? stated[""] : nil
        if let reason = payment.contradiction(to: checkout) ?? statement ?? payment.gap {
            // Names what became of the recorded payment, too.
            if let known = checkout.recordedPayment, former.contains(known) {
                throw .otherAmount(
                    id: checkout.id, payment: known,
                    reason: "it was paid, and given back or voided since; of the payment \(payment.payment): \(reason)")
            }
            throw .otherAmount(id: checkout.id, payment: payment.payment, reason: reason)
        }
        if payment.isGivenBack, let refund = payment.refundClause(of: checkout) {
            throw .givenBack(id: checkout.id, payment: payment.payment, reason: "it was paid, and \(refund)")
        }
        if let refund = payment.refund(of: checkout) {
            environment.diagnostics.warning(
                "\(refund) of the payment \(payment.payment) were refunded since\(payment.pendingNote)")
        }
        let pending = returned.filter(\.hasPendingRefund).map(\.payment)
        if !pending.isEmpty {
            let remark = "\(PaymentOperation.pendingElsewhere): \(pending.joined(separator: ", "))"
            environment.diagnostics.warning(remark)
            payment.remark = remark
        }
        return try await record(
            payment, of: checkout, after: former, "paid: the payment is in the merchant's records")
    }

    /// Looks at a page all of whose payments in the records were refunded as a whole. One alone is left to the caller.
    ///
    /// - Parameters:
    ///   - payments: those payments.
    ///   - over: those of its order that took no money.
    ///   - approved: those that webhooks report.
    private func checkReturned(
        _ payments: [CheckoutPayments.Payment], _ over: [String], _ approved: [String], _ checkout: PaymentOperation
    ) async throws(CheckoutError) {
        let returned = payments.map(\.payment)
        let pending = payments.first(where: \.hasPendingRefund)?.pendingNote ?? ""
        // Under the UUID of a webhook, it may be one of those.
        if let other = approved.first(where: { Self.isRecordID($0) && !returned.contains($0) && !over.contains($0) }) {
            throw await several(
                returned + [other],
                "paid, and refunded as a whole since\(pending): \(returned.joined(separator: ", ")); a webhook with a valid signature "
                    + "reports the payment \(other), which the merchant's records do not show so far", checkout)
        }
        guard returned.count > 1 else { return }
        let recorded = returned.first { $0 == checkout.outcome.paymentID } ?? returned[0]
        let others = returned.filter { $0 != recorded }.joined(separator: ", ")
        throw .givenBack(
            id: checkout.id, payment: recorded,
            reason: "it was paid, and refunded as a whole since, as the page's other payments were: \(others)\(pending)"
        )
    }

    /// What several payments are together, compared with what a page asked for.
    private enum Sum {
        case whole
        /// Less; the words for both amounts.
        case part(String)
        /// More, or not known.
        case tooMany
    }

    private static func sum(of payments: [CheckoutPayments.Payment], for checkout: PaymentOperation) -> Sum {
        guard let asked = checkout.checkoutTotal, var money = checkout.amount else { return .tooMany }
        var sum: Int64 = 0
        for payment in payments {
            guard let amount = payment.amount, amount > 0, payment.currency?.uppercased() == money.currency.code else {
                return .tooMany
            }
            let (total, isBeyond) = sum.addingReportingOverflow(amount)
            guard !isBeyond else { return .tooMany }
            sum = total
        }
        if abs(sum - asked.amount) <= asked.slack { return .whole }
        guard sum < asked.amount else { return .tooMany }
        money.minorUnits = sum
        let paid = "\(money)"
        money.minorUnits = asked.amount
        return .part("\(paid) of \(money)")
    }

    /// What was refunded of several payments, as if of one.
    private static func sum(ofRefunds payments: [CheckoutPayments.Payment]) -> CheckoutPayments.Payment {
        var all = CheckoutPayments.Payment(payment: "")
        for payment in payments {
            let (total, isBeyond) = all.refunded.addingReportingOverflow(payment.refunded)
            all.refunded = isBeyond ? .max : total
            if payment.hasPendingRefund { all.hasPendingRefund = true }
        }
        return all
    }

    private static func words(for sum: Sum, _ payments: [String]) -> String {
        let words =
            switch sum {
            case .whole: CheckoutState.inParts + ", which together are what it asked for"
            case .part(let amounts): CheckoutState.inPart + ", \(amounts)"
            case .tooMany: CheckoutState.moreThanOnce
            }
        return "\(words): \(payments.joined(separator: ", "))"
    }

    /// Keeps the payments of a page that has several in the journal, as far as that can be written.
    ///
    /// - Parameter reason: a clause about them.
    private func several(
        _ payments: [String], _ reason: String, _ checkout: PaymentOperation
    ) async -> CheckoutError {
        do {
            try await journal.recordPayments(payments, reason, of: checkout.id, now: environment.clock.wall())
        } catch {
            environment.diagnostics.warning("that the page was \(reason) could not be recorded")
        }
        return .paidTwice(id: checkout.id, payments: payments, reason: reason)
    }

    /// Keeps what a look found in the journal: a page that is not known to be paid, and why.
    private func record(_ error: CheckoutError, of checkout: PaymentOperation) async {
        let (payment, isDenied): (String?, Bool)
        var isGivenBack = false
        switch error {
        // Of a page that is open, the next look may find the payment.
        case .unseen where environment.clock.wall() < checkout.expiry: return
        case .unseen(_, _, _, let unpaid):
            (payment, isDenied) = (unpaid.first { !$0.isOver && !$0.payment.isEmpty }?.payment, false)
        case .otherAmount(_, let id, _): (payment, isDenied) = (id, true)
        case .givenBack(_, let id, _):
            (payment, isDenied) = (id, true)
            isGivenBack = true
        case .unconfirmed(_, let id): (payment, isDenied) = (id, false)
        case .unreadable, .signInRefused, .malformed, .missing, .expired, .stillOpen, .paidTwice, .notShown: return
        }
        do {
            try await journal.recordLook(
                error.finding ?? "", payment: payment, isDenied: isDenied, isGivenBack: isGivenBack, of: checkout.id,
                now: environment.clock.wall())
        } catch {
            environment.diagnostics.warning("what is known of the page could not be recorded")
        }
    }

    private func record(
        _ payment: CheckoutPayments.Payment, of checkout: PaymentOperation, isByWebhookAlone: Bool = false,
        after former: [String] = [], _ detail: String, isAgain: Bool = false
    ) async throws(CheckoutError) -> PaymentOperation {
        do {
            return try await journal.recordPayment(
                payment, of: checkout.id, isByWebhookAlone: isByWebhookAlone, after: former, detail: detail,
                now: environment.clock.wall())
        } catch PaymentPlanError.paymentOfAnother(let id, let named, let other) {
            // If only a webhook has given it to the other page, a look at that one shows whether it is in this page's order.
            if !isAgain, !isByWebhookAlone, let page = try? await journal.operation(other), page.isPaidByWebhookAlone {
                var look = self
                look.isOnce = true
                _ = try? await look.paid(page)
                return try await record(payment, of: checkout, after: former, detail, isAgain: true)
            }
            throw .otherAmount(id: id, payment: named, reason: "the journal has it under \(other)")
        } catch {
            // It is paid, whether or not this can be kept.
            environment.diagnostics.warning("the payment \(payment.payment) could not be recorded")
            return checkout.paid(by: payment)
        }
    }

    private func webhooks(of checkout: PaymentOperation) async throws -> [CheckoutNotice] {
        guard let session = checkout.outcome.session?.id else { return [] }
        let directory = try environment.stateDirectory()
        return try await DedicatedThread.run {
            guard let spool = try WebhookSpool.existing(in: directory) else { return [] }
            return try spool.checkouts(session: session).filter { $0.merchant == checkout.merchantID }
        }
    }
}

import CloverAuth
import CloverCore
import CloverOutput
import CloverPayments
import CloverSystem
import CloverWebhooks

/// Waits for the payment of a Hosted Checkout session. `PageVerdict` decides what is found.
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
    /// Looks at the records after a webhook before it is taken without one.
    private static let looksAfterReport = 3

    /// - Returns: the checkout with its payment.
    /// - Throws: `CheckoutError`. What it says of the page is in the journal then, as far as that can be written.
    func paid(_ checkout: PaymentOperation) async throws -> PaymentOperation {
        try await conclude(try await verdict(on: checkout), on: checkout)
    }

    private func verdict(on checkout: PaymentOperation) async throws -> PageVerdict {
        let start = Double(environment.clock.boot()) / 1000
        let boot = environment.clock.boot
        func elapsed() -> Double { Double(boot()) / 1000 - start }
        // The wall clock may be set meanwhile.
        let rest = Double(checkout.expiry - environment.clock.wall()) / 1000 + linger
        var next = 0.0
        var declines = 0
        var (wasRead, isTroubled) = (false, false)
        // A record may come after the webhook.
        var looksAfterReport = 0
        while true {
            let reports = try await environment.pageReports(of: checkout)
            let isReported = checkout.isPaidByWebhookAlone || reports.contains { $0.ending == .approved }
            let isAtEnd = isOnce || elapsed() >= rest
            let isLast = isAtEnd || maximumTime.map { elapsed() >= $0 } ?? false
            if isLast || elapsed() >= next || isReported && looksAfterReport == 0 {
                if isReported { looksAfterReport += 1 }
                let verdict = PageVerdict(
                    try await payments.evidence(
                        on: checkout, reports, in: journal, acceptsLateRecords: !isOnce, now: environment.clock.wall()))
                let isEnough = verdict.isReport && looksAfterReport >= Self.looksAfterReport
                if isLast, !isAtEnd, let maximumTime, !verdict.hasEnded {
                    // What an earlier look found is no open page.
                    let isNew = checkout.movedNoMoney && checkout.outcome.candidates == nil
                    let isUnread = wasRead && verdict.obstacle != nil && !isReported && isNew
                    if isUnread || verdict.isOpen {
                        // Such as that its payment is only held.
                        await keep(verdict, of: checkout)
                        throw CheckoutError.stillOpen(id: checkout.id, seconds: maximumTime)
                    }
                }
                if isLast || verdict.isLasting || isEnough { return verdict }
                if let obstacle = verdict.obstacle {
                    if !isTroubled { environment.diagnostics.warning("\(obstacle.reason); trying again") }
                    isTroubled = true
                } else {
                    (wasRead, isTroubled) = (true, false)
                }
                next = elapsed() + interval
            }
            let count = reports.count { $0.ending == .declined }
            if count > declines, !isReported {
                environment.diagnostics.notice("a card was declined; the customer can try again")
            }
            declines = count
            try await environment.sleep(min(Self.webhookInterval, interval))
        }
    }

    /// Keeps what was found in the journal.
    ///
    /// - Parameter isAgain: whether a page that had the payment by a webhook alone was looked at.
    private func conclude(
        _ verdict: PageVerdict, on checkout: PaymentOperation, isAgain: Bool = false
    ) async throws -> PaymentOperation {
        func show() {
            for notice in verdict.notices { environment.diagnostics.notice(notice) }
            for warning in verdict.warnings { environment.diagnostics.warning(warning) }
        }
        switch verdict.finding {
        case .asRecorded:
            // A person has seen it.
            if !verdict.isAcknowledged { show() }
            return checkout
        case .reported(let id):
            show()
            return try await record(PagePayment(id), verdict, on: checkout, isAgain)
        case .paid(let payment, let former):
            show()
            return try await record(payment, after: former, verdict, on: checkout, isAgain)
        case .overdue(let id) where !checkout.isPaidByWebhookAlone:
            _ = try await record(PagePayment(id), verdict, on: checkout, isAgain)
        case .overdue, .several, .other, .notShown, .unseen, .unread: break
        }
        await keep(verdict, of: checkout)
        throw CheckoutError.found(id: checkout.id, verdict)
    }

    private func keep(_ verdict: PageVerdict, of checkout: PaymentOperation) async {
        do {
            try await journal.record(verdict, of: checkout.id, now: environment.clock.wall())
        } catch {
            environment.diagnostics.warning("what is known of the page could not be recorded")
        }
    }

    private func record(
        _ payment: PagePayment, after former: [String] = [], _ verdict: PageVerdict, on checkout: PaymentOperation,
        _ isAgain: Bool
    ) async throws -> PaymentOperation {
        do {
            return try await journal.recordPayment(
                payment, of: checkout.id, isByWebhookAlone: verdict.isReport, after: former,
                detail: verdict.isReport ? "paid: by a signed webhook" : verdict.reason, now: environment.clock.wall())
        } catch PaymentPlanError.paymentOfAnother(_, let named, let other) {
            // If only a webhook has given it to the other page, a look at that one shows whether it is in this page's order.
            if !isAgain, !verdict.isReport, let page = try await journal.operation(other), page.isPaidByWebhookAlone {
                var look = self
                look.isOnce = true
                do {
                    _ = try await look.paid(page)
                } catch let error as CheckoutError {
                    environment.diagnostics.detail("\(other): \(ErrorReport(error).message)")
                }
                return try await conclude(verdict, on: checkout, isAgain: true)
            }
            return try await conclude(
                PageVerdict(.other(named), .unknown, "the journal has it under \(other)"), on: checkout, isAgain: true)
        } catch  where !(error is CancellationError) {
            // It is paid, whether or not this can be kept.
            environment.diagnostics.warning("the payment \(payment.id) could not be recorded")
            return checkout.paid(by: payment)
        }
    }
}

extension CommandEnvironment {
    /// What webhooks with valid signatures, which a listener of this machine received, say of a page.
    func pageReports(of checkout: PaymentOperation) async throws -> [PageReport] {
        guard let session = checkout.outcome.session?.id else { return [] }
        let directory = try stateDirectory()
        return try await DedicatedThread.run {
            guard let spool = try WebhookSpool.existing(in: directory) else { return [] }
            return try spool.checkouts(session: session).compactMap { notice in
                guard notice.merchant == checkout.merchantID, let ending = PageReport.Ending(rawValue: notice.type)
                else { return nil }
                return PageReport(ending, of: notice.payment, message: notice.message)
            }
        }
    }
}

import CloverOutput

/// All that is known of a page of Hosted Checkout at one time. `PageVerdict` decides what it proves.
package struct PageEvidence: Sendable {
    /// The page as the journal has it: what it asks for, when it ends, what earlier looks found, and what a person recorded.
    package var page: PaymentOperation
    /// What webhooks with valid signatures say of its session, in the order of their arrival.
    package var reports: [PageReport] = []
    package var records = Reading.unasked
    /// Of the payments that are shown or reported: those that the journal has under other charges and pages.
    package var owners: [String: Owner] = [:]
    /// Whether a webhook alone is taken for now although the record of its payment is overdue: `checkout wait` gives the
    /// goods to a customer, and a later look has to confirm it.
    package var acceptsLateRecords = false
    /// Milliseconds since 1970.
    package var now: Int64
    /// What the page asks for.
    let asked: (amount: Int64, slack: Int64, items: Int64)?

    package init(page: PaymentOperation, now: Int64) {
        (self.page, self.now, asked) = (page, now, page.checkoutTotal)
    }

    /// Whether the merchant's records were read.
    package enum Reading: Sendable, Equatable {
        /// They were not asked for.
        case unasked
        case unread(PageObstacle)
        case read(PageRecords)
    }

    /// The operation that has a payment in the journal.
    package struct Owner: Sendable, Equatable {
        package let id: String
        /// Whether only a webhook has given it that payment: an order with the reference of a page outweighs it.
        package let isByReportAlone: Bool

        package init(id: String, isByReportAlone: Bool) {
            (self.id, self.isByReportAlone) = (id, isByReportAlone)
        }
    }

    /// The payments that webhooks report as approved, each once. One without an ID is the same as another, and is left out
    /// beside one with an ID. The journal may have one of an earlier look: webhooks are not kept for ever.
    var approved: [String] {
        let heard = reports.filter { $0.ending == .approved }.map(\.payment)
        let earlier = page.isPaidByWebhookAlone ? [page.outcome.paymentID ?? ""] : []
        var ids: [String] = []
        for id in earlier + heard where !id.isEmpty && !ids.contains(id) { ids.append(id) }
        return ids.isEmpty && !(earlier + heard).isEmpty ? [""] : ids
    }

    /// The payments to ask for where the page's orders do not show them.
    package var named: [String] { approved + taken.filter { !approved.contains($0) } }

    /// Which approved payments have another amount in a webhook's message than the page asked for, or are declined in another
    /// webhook, with a clause about it; under the empty ID for a webhook without one.
    var contradictions: [String: String] {
        guard var total = page.amount, let asked else { return [:] }
        total.minorUnits = asked.amount
        var found: [String: String] = [:]
        let approved = reports.filter { $0.ending == .approved }
        for report in approved {
            guard let message = report.message else { continue }
            let payment = PagePayment(report.payment, amount: report.amount(total.currency))
            // Beside the status APPROVED.
            let isOther = ["decline", "partial", "refund", "void"].contains { message.lowercased().hasPrefix($0) }
            guard isOther || contradiction(of: payment) != nil else { continue }
            found[report.payment] = "its webhook says '\(message)', and the page asked for \(total)"
        }
        let declined = reports.filter { $0.ending == .declined }.map(\.payment)
        for id in approved.map(\.payment) where !id.isEmpty && declined.contains(id) { found[id] = Self.bothEndings }
        return found
    }

    /// Why a payment cannot be all that the page asked for; nil if nothing says so.
    func contradiction(of payment: PagePayment) -> String? {
        guard let asked, var money = page.amount else { return nil }
        if let currency = payment.currency, currency.uppercased() != money.currency.code {
            return "it is in \(currency), and the page asked for \(money.currency.code)"
        }
        guard let amount = payment.amount, PageVerdict.comparison(of: amount, with: asked) != .same else { return nil }
        money.minorUnits = amount
        let paid = "\(money)"
        money.minorUnits = asked.amount
        return "it is of \(paid), and the page asked for \(money)"
    }

    static let bothEndings = "webhooks with valid signatures report it as approved and as declined"

    /// When the payments and orders of the page can have been made at the earliest, in milliseconds since 1970.
    var start: Int64 { page.earliestPayment }

    /// Whether a payment can be asked for by this ID. That of a webhook may be a UUID, under which records need not be found.
    static func canBeAsked(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    }

    /// Whether the text is an ID, and no UUID. A webhook's may be one, which says nothing about records.
    static func isRecordID(_ text: String) -> Bool {
        let digits = text.filter { $0 != "-" }
        return canBeAsked(text) && !(digits.count == 32 && digits.allSatisfy(\.isHexDigit))
    }
}

/// What a webhook with a valid signature says of the session of a page.
package struct PageReport: Sendable, Equatable {
    package enum Ending: String, CaseIterable, Sendable {
        case approved = "APPROVED"
        case declined = "DECLINED"
    }

    package var ending: Ending
    /// The ID; empty if the webhook came without one.
    package var payment: String
    package var message: String?

    package init(_ ending: Ending, of payment: String?, message: String? = nil) {
        (self.ending, self.payment, self.message) = (ending, payment ?? "", message)
    }

    /// What the message states as the amount, in the smallest unit (Clover: Hosted Checkout webhook: `Approved for 100`; that
    /// a whole number counts cents is inferred). Nil for a message of any other form.
    func amount(_ currency: Currency) -> Int64? {
        // The currency may stand beside it.
        let form = #/(?i)approved for\s+(?:[A-Z]{3}\s*|\$)?([0-9]{1,12})(?:\.([0-9]+))?(?:\s*[A-Z]{3})?\s*/#
        guard let match = message?.wholeMatch(of: form) else { return nil }
        guard let part = match.2 else { return Int64(match.1) }
        return part.count == currency.decimals ? Int64(match.1 + part) : nil
    }
}

/// What the merchant's records show of a page.
package struct PageRecords: Sendable, Equatable {
    /// Those of the orders with the page's reference, whatever became of them.
    package var payments: [PagePayment] = []
    /// Of the payments that webhooks or the journal name, those that these orders do not have: what their own records show.
    package var asked: [String: Answer] = [:]
    /// Of the payments that webhooks name, those in orders of other pages of the journal.
    package var elsewhere: [String: Place] = [:]
    /// What was refunded of several payments of one order without naming one of them, in the smallest unit; 0 for refunds
    /// that show no amount, nil for none.
    package var looseRefund: Int64?
    /// A payment that the orders show twice, with different contents.
    package var contradictory: String?

    package init(_ payments: [PagePayment] = []) { self.payments = payments }

    package enum Answer: Sendable, Equatable {
        case payment(PagePayment)
        case missing
        case unread(PageObstacle)
    }

    package struct Place: Sendable, Equatable {
        package let order: String
        /// The operation of the page whose order it is.
        package let page: String

        package init(order: String, page: String) { (self.order, self.page) = (order, page) }
    }

    /// What they show of a payment that a person names; nil if they do not.
    package func fact(of id: String) -> PageFact? {
        if let payment = payments.first(where: { $0.id == id }) { return PageFact(payment) }
        guard case .payment(let payment) = asked[id] else { return nil }
        var fact = PageFact(payment)
        fact.isNamed = true
        return fact
    }

    mutating func add(looseRefund amount: Int64) {
        let (total, isBeyond) = (looseRefund ?? 0).addingReportingOverflow(amount)
        looseRefund = isBeyond ? .max : total
    }
}

/// Why the merchant's records of a page could not be read.
package struct PageObstacle: Error, Sendable, Equatable {
    package enum Kind: String, CaseIterable, Sendable {
        case unreadable
        /// The sign-in was not accepted.
        case signInRefused
        /// The response cannot be understood, or may not show all.
        case malformed
    }

    package let kind: Kind
    /// A sentence without an end.
    package var reason: String

    package init(_ kind: Kind, _ reason: String) { (self.kind, self.reason) = (kind, reason) }
}

/// A payment for a page, as the merchant's records show it.
package struct PagePayment: Sendable, Equatable {
    /// The ID; empty for none.
    package var id: String
    package var order: String?
    /// In the smallest unit, with tax and without the tip; nil if unknown.
    package var amount: Int64?
    /// Code of the order's currency; nil if unknown.
    package var currency: String?
    /// As the record has it, on one line; nil for none.
    package var result: String?
    /// Whether the money is only held.
    package var isHeld = false
    /// Milliseconds since 1970; nil if the record does not show it.
    package var madeAt: Int64?
    /// What was given back of it since, in the smallest unit, as far as its record and that of its order show it.
    package var refunded: Int64 = 0
    /// Whether a refund of it shows no amount that can be read.
    package var hasUnreadableRefund = false
    /// Whether a part of `refunded` is pending: it counts as given back, and may still fail.
    package var hasPendingRefund = false
    /// What else the page's record has to say, as a clause, such as that another payment's refund is pending.
    package var remark: String?

    package init(
        _ id: String, order: String? = nil, amount: Int64? = nil, currency: String? = nil, result: String? = "SUCCESS"
    ) {
        (self.id, self.order, self.amount, self.currency, self.result) = (id, order, amount, currency, result)
    }

    /// Whether it took money, and is not only held.
    package var isPaid: Bool { result == "SUCCESS" && !isHeld && !id.isEmpty }

    /// Whether it took no money, and will not.
    package var isOver: Bool { ["FAIL", "VOIDED"].contains(result) }

    /// What it is for its page if it did not take money.
    var state: CheckoutState {
        if result == "VOIDED" { return .voided }
        return isHeld || result == "AUTH" || result == "AUTH_COMPLETED" ? .held : .unknown
    }

    /// What its record shows if it did not take money, such as `with the result 'AUTH'`.
    var words: String {
        guard !id.isEmpty else { return "without an ID" }
        return result.map { "with the result '\($0)'" + (isHeld ? ", only held and not captured" : "") }
            ?? "without a result"
    }

    /// The same as part of a list.
    var text: String { id.isEmpty ? "a payment \(words)" : "\(id) \(words)" }

    /// What was given back of it since, such as `4.25 USD`; nil if nothing is known of it.
    func refund(of page: PaymentOperation) -> String? { Self.refund(of: [self], page) }

    /// The same of several payments, in each of their currencies.
    static func refund(of payments: [PagePayment], _ page: PaymentOperation) -> String? {
        var sums: [(code: String, amount: Int64)] = []
        for payment in payments where payment.refunded > 0 {
            let code = payment.currency?.uppercased() ?? page.currencyCode ?? ""
            guard let place = sums.firstIndex(where: { $0.code == code }) else {
                sums.append((code, payment.refunded))
                continue
            }
            let (total, isBeyond) = sums[place].amount.addingReportingOverflow(payment.refunded)
            sums[place].amount = isBeyond ? .max : total
        }
        let words = sums.map { PaymentDifference.text($0.amount, in: $0.code) }
        return words.isEmpty ? nil : words.joined(separator: " and ")
    }

    /// The same as a clause; nil if nothing is known of it.
    func refundClause(of page: PaymentOperation) -> String? {
        refund(of: page).map { "\($0) of it were refunded since\(pendingNote)" }
    }

    /// Follows what is shown as refunded; empty if nothing of it is pending.
    var pendingNote: String { hasPendingRefund ? PaymentDifference.pendingNote : "" }

    /// Whether all of it was given back.
    var isGivenBack: Bool { refunded > 0 && refunded >= amount ?? .max }

    /// What its record does not show, or not as it has to; nil if it shows an amount and a currency.
    var gap: String? {
        if amount == nil { return "the merchant's records show no amount of it that can be read" }
        if hasUnreadableRefund { return "a refund of it shows no amount that can be read" }
        return currency == nil ? "the merchant's records do not show its currency" : nil
    }
}

extension PageVerdict {
    /// An amount, compared with what a page asked for and how much its taxes may differ.
    static func comparison(
        of amount: Int64, with asked: (amount: Int64, slack: Int64, items: Int64)
    ) -> ComparisonOrder {
        let (difference, isBeyond) = amount.subtractingReportingOverflow(asked.amount)
        // No rounding makes a tax less than nothing.
        if !isBeyond, difference.magnitude <= asked.slack, amount >= asked.items { return .same }
        return amount < asked.amount ? .less : .more
    }

    enum ComparisonOrder { case less, same, more }

    /// The exit status of a command that looks once: 0 as well for a page that is open, 81 for one that a person recorded as not
    /// paid, and that nothing shows as paid.
    package var status: Int32 {
        if isAgainstEntry { return 80 }
        if isPaid || isOpen { return 0 }
        if finding == .asRecorded { return 81 }
        guard case .unread(let obstacle) = finding else { return 80 }
        return switch obstacle.kind {
        case .unreadable: 69
        case .malformed: 76
        case .signInRefused: 77
        }
    }
}

import CloverAuth
import CloverCore
import CloverJSON
import CloverOutput
import CloverPayments
import Synchronization

/// Prints the events of a payment run: as JSON lines, or as text at a terminal. An output that fails stops the run only at
/// its first event, before anything was sent; later, the payment must reach its outcome.
final class ChargeOutput: Sendable {
    private let output: RecordOutput
    private let isText: Bool
    /// Print only the outcome.
    private let isFinalOnly: Bool
    /// The time now, in milliseconds since 1970.
    private let now: @Sendable () -> Int64
    /// The first write error.
    private let firstFailure = Mutex<RecordWriteError?>(nil)
    private let hasBegun = Atomic(false)
    /// The progress lines on the terminal that output must not overwrite.
    private let board = Mutex<ProgressDisplay?>(nil)
    /// A part that is to be given back, of which the event is the outcome unless that of its void or refund follows.
    private let part = Mutex<PaymentOperation?>(nil)

    init(isJSON: Bool, isQuiet: Bool, in environment: CommandEnvironment) {
        output = environment.standardOutput
        isText = environment.terminal.isOutputTerminal && !isJSON
        isFinalOnly = isQuiet
        now = environment.clock.wall
    }

    /// - Returns: the error that prevents the operation of this event from being sent: the first event of the run announces
    ///   it, and could not be written. A void of a partial approval is created later in a run, and is always sent.
    @discardableResult
    func show(_ event: ChargeEvent) async -> RecordWriteError? {
        let isFirst = !hasBegun.exchange(true, ordering: .relaxed)
        if isFinalOnly {
            guard case .settled(let operation) = event else { return nil }
            if operation.isUnwantedPartialApproval {
                part.withLock { $0 = operation }
                return nil
            }
            if operation.kind == .void || operation.kind == .refund {
                part.withLock { if $0?.id == operation.parent { $0 = nil } }
            }
        }
        await place(event)
        guard isFirst, case .created = event else { return nil }
        return failure
    }

    /// Prints the event of a part of which no void or refund was reported, as far as only outcomes are printed. Call it when
    /// nothing follows.
    func showPart() async {
        let left = part.withLock { part in
            defer { part = nil }
            return part
        }
        if let left { await place(.settled(left)) }
    }

    private func place(_ event: ChargeEvent) async {
        if let board = board.withLock(\.self) {
            await board.aside { await write(event) }
        } else {
            await write(event)
        }
    }

    private func write(_ event: ChargeEvent) async {
        let now = now()
        await print(
            isText
                ? OperationText.line(event, now: now)
                : OperationJSON.event(event, Self.name(of: event, now: now)).text)
    }

    /// Prints all further output above the lines of `board`.
    func stands(above board: ProgressDisplay) {
        self.board.withLock { $0 = board }
    }

    /// The first write error. Throw it only after the payment has its outcome.
    var failure: RecordWriteError? { firstFailure.withLock(\.self) }

    func finish() throws(RecordWriteError) {
        if let failure { throw failure }
    }

    private func print(_ line: String) async {
        do throws(RecordWriteError) {
            try await output.write(Array((isText ? Diagnostics.printable(line) : line).utf8) + [UInt8(ascii: "\n")])
        } catch {
            firstFailure.withLock { $0 = $0 ?? error }
        }
    }

    /// The event's name in JSON.
    private static func name(of event: ChargeEvent, now: Int64) -> String {
        switch event {
        case .created: "created"
        case .sent: "sent"
        case .progress: "progress"
        case .cancelling: "cancelling"
        case .skipped: "skipped"
        case .settled(let operation): operation.word(now: now) ?? outcomeName(operation)
        }
    }

    /// `approved` is used for charges only; each other kind of operation has its own name.
    private static func outcomeName(_ operation: PaymentOperation) -> String {
        guard operation.state == .approved else { return operation.state.rawValue }
        return switch operation.kind {
        case .charge where operation.isReleasedElsewhere: "released"
        case .charge: operation.isPartial ? "partial" : "approved"
        case .capture: "captured"
        case .void: "voided"
        case .refund: "refunded"
        case .tip: "tipAdjusted"
        case .increment: "incremented"
        case .receipt: "receiptSent"
        }
    }
}

/// Events as text, for a terminal.
enum OperationText {
    /// - Parameter now: milliseconds since 1970.
    static func line(_ event: ChargeEvent, now: Int64) -> String {
        switch event {
        case .created(let operation):
            "\(describe(operation)) is recorded as \(operation.id)"
        case .sent(let operation, let isAgain):
            isAgain ? "sent again with the same key" : "sent to \(operation.rail.displayName)"
        case .progress(_, let say):
            say == "SWIPE_DIP_OR_TAP_CARD"
                ? "swipe, dip or tap the card" : say.replacing("_", with: " ").lowercased()
        case .cancelling:
            "cancelling"
        case .skipped(let operation):
            "another process is working on \(operation.id)"
        case .settled(let operation):
            settled(operation, now)
        }
    }

    /// Such as `a charge of 12.50 USD`.
    private static func describe(_ operation: PaymentOperation) -> String {
        let article = operation.kind == .increment ? "an" : "a"
        let noun = operation.kind == .charge ? operation.rail.noun : operation.kind.rawValue
        return "\(article) \(noun)" + (operation.asked.map { " of \($0)" } ?? "")
    }

    private static func settled(_ operation: PaymentOperation, _ now: Int64) -> String {
        outcomeText(operation, now) + (operation.outcome.contradiction.map { "; \($0)" } ?? "")
    }

    private static func outcomeText(_ operation: PaymentOperation, _ now: Int64) -> String {
        let outcome = operation.outcome
        guard operation.state == .approved else {
            let why = outcome.code.flatMap(PaymentErrorCode.meaning)?.words ?? outcome.text ?? outcome.reason
            let isProvisional = outcome.isProvisional == true && operation.state != .unknown
            return operation.state.rawValue + (why.map { ": \($0)" } ?? "")
                + (isProvisional ? "; \(operation.absence ?? "no payment is shown so far")" : "")
        }
        guard operation.kind == .charge else { return "\(operation.kind.rawValue) done" }
        if operation.rail.isRecurring {
            return "active  \(operation.rail.noun) \(outcome.paymentID ?? "")"
                + (outcome.reason.map { "  (\($0))" } ?? "")
        }
        let word = operation.word(now: now)
        if operation.paymentsOfPage != nil { return outcome.reason ?? "" }
        let isNothing = outcome.isByHand == true && outcome.amount == 0
        if operation.rail.makesPage, let word, outcome.page == .givenBack || isNothing {
            return (outcome.page == .givenBack ? "given back" : word)
                + (outcome.contradiction == nil ? outcome.reason.map { ": \($0)" } ?? "" : "")
        }
        if let session = outcome.session, let word, operation.movedNoMoney {
            let end = InstantText.utc(milliseconds: session.expiresAt ?? operation.expiry)
            if word == "open", let here = operation.expiryHere {
                return
                    "open until \(InstantText.utc(milliseconds: here)), which is \(end) by Clover's clock  \(session.address)"
            }
            if let reason = outcome.reason, !["open", "expired"].contains(word) { return "\(word): \(reason)" }
            return word == "open"
                ? "open until \(end)  \(session.address)"
                : "ended at \(end); to look for its payment: clover checkout wait \(operation.id)"
        }
        var parts = [word ?? (operation.isPartial ? "partly approved" : "approved")]
        if operation.hasUnknownAmount {
            parts.append("an amount that is not known")
        } else if var amount = operation.asked {
            if let approved = outcome.amount { amount.minorUnits = approved }
            parts.append("\(amount)")
        } else if let amount = operation.amountText {
            parts.append(amount)
        }
        if let card = outcome.card {
            parts.append([card.type, card.last4.map { "....\($0)" }].compactMap(\.self).joined(separator: " "))
        }
        if let code = outcome.authCode { parts.append("code \(code)") }
        // A webhook may come without the payment's ID.
        if let payment = outcome.paymentID, !payment.isEmpty { parts.append("payment \(payment)") }
        if outcome.isByHand == true, let person = outcome.settledBy { parts.append("(recorded by \(person))") }
        if let issues = outcome.issues { parts.append("(\(issues.joined(separator: ", ")))") }
        if let words = operation.wordsElsewhere ?? operation.report { parts.append("(\(words))") }
        return parts.filter { !$0.isEmpty }.joined(separator: "  ")
    }
}

extension PaymentOperation {
    /// Of a page that only a webhook shows as paid: that. Nil for anything else.
    var report: String? { isPaidByWebhookAlone ? "a signed webhook alone reported the payment" : nil }

    /// Of a plan or subscription that was refused: what the end rests on. Nil for anything else.
    var absence: String? {
        guard rail.isRecurring, state == .failed, outcome.isProvisional == true else { return nil }
        let status = outcome.http.map { " (\($0))" } ?? ""
        return "Clover refused it\(status), and the list that was read afterwards does not show it so far"
    }
}

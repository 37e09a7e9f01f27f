import CloverCore
import CloverOutput
import CloverPayments
import Glibc

extension ErrorReport {
    init(_ status: ExitStatus, _ code: String, _ message: String, _ hints: String...) {
        self.init(code: code, status: status, message: message, hints: hints)
    }

    /// A payment run that did not end as requested.
    init(_ failure: ChargeFailure) {
        switch failure {
        case .refused(let operation):
            self = Self.refused(operation)
        case .notCarriedOut(let operation, let cause as MaxTimeExceeded):
            self.init(cause)
            if operation.outcome.isProvisional == true {
                message = "--max-time \(Self.shortened(cause.seconds)) ran out; Clover refused it, and shows no payment"
            }
            // The reason of one that was not sent has the same cause.
            if let reason = operation.outcome.reason, operation.outcome.isProvisional == true || cause.cause == nil {
                message += ": \(reason)"
            }
        case .notCarriedOut(let operation, let cause as ChargeCanceller.Unannounced):
            let done = operation.kind == .charge ? "charged" : "carried out"
            self.init(
                .inputOutput, "write_failed",
                "nothing was \(done), because standard output \(Self.writeFault(cause.cause))",
                "run it again with an output that can be written")
        case .notCarriedOut(_, let cause as OperationRunner.Unchecked):
            self.init(
                .tryAgain, "key_unchecked",
                "nothing was sent, because it is not known whether this key was charged before: \(cause.reason)",
                "run it again later with the same key")
        case .notCarriedOut(_, let cause as CardFileError):
            // It says itself what was done: the card may have been saved although nothing was charged.
            self.init(cause)
        case .notCarriedOut(let operation, let cause):
            if case .report(let report) = Self.ending(of: cause) {
                self = report
                // Clover's records are read again for a week.
                let isProvisional = operation.outcome.isProvisional == true
                let known = isProvisional ? "Clover refused it, and shows no payment" : "nothing was carried out"
                message = "\(known): \(message)"
            } else {
                self = Self.refused(operation)
            }
        case .unprinted(let operation, let error):
            self.init(unprinted: operation, error)
        case .unrecorded(let operation, let cause):
            self.init(unrecorded: operation, cause)
        case .unknown(let operation):
            var what = operation.kind == .charge && operation.rail.isCharge ? "charge it again" : "do it again"
            if operation.isNeverSent { what += " under another key" }
            self.init(
                code: "outcome_unknown", status: .outcomeUnknown,
                message: "outcome unknown: \(operation.outcome.reason ?? "no response shows what became of it")",
                hints: [
                    operation.kind.movesMoney && operation.rail != .plan
                        ? "the money may have moved; do not \(what). Settle it with: clover charge recover \(operation.id)"
                        : "settle it with: clover charge recover \(operation.id)"
                ], http: operation.outcome.http)
            if let text = operation.outcome.text { message += "; the response was: \(text)" }
            // One that contradicts the charge cannot be entered as its payment, except as a part of it.
            let isContradicted =
                operation.outcome.reason?.hasPrefix(Verdict.contradiction) == true
                && !Verdict.namesPart(operation.outcome)
            if let candidate = operation.outcome.candidates?.first, candidate != OperationOutcome.unnamedPayment,
                !isContradicted
            {
                hints.append(
                    "if this is the \(operation.rail.noun): clover charge settle \(operation.id) --paid --payment \(candidate)"
                )
            } else {
                hints.append(Self.byHand(operation.id, operation.rail.noun))
            }
        case .skipped(let count):
            self.init(
                .tryAgain, "in_progress",
                "other processes still work on \(count) \(count == 1 ? "operation" : "operations"), which were skipped",
                "run it again later")
        case .released(let operation):
            self.init(
                .declined, "released",
                "\(Self.approved(operation)) was approved, and \(operation.wordsElsewhere ?? "released elsewhere"): "
                    + "nothing of it is held or taken",
                "to see what is recorded: clover charge show \(operation.id)")
        case .partial(let operation, let followUps):
            self.init(partKept: operation, after: followUps)
        case .partialVoided(let operation, let void, let open):
            self.init(part: operation, void: void, open: open)
        case .contradicted(let operation) where operation.rail.makesPage:
            self.init(
                .outcomeUnknown, "contradicted",
                "\(operation.id): \(operation.outcome.contradiction ?? "it contradicts the outcome entered by hand")",
                "record what you find: clover charge settle \(operation.id) --paid, or --not-paid")
        case .contradicted(let operation):
            self.init(
                .outcomeUnknown, "contradicted",
                "\(operation.id): \(operation.outcome.contradiction ?? "it contradicts the outcome entered by hand")",
                Self.correction(operation))
            let end = operation.state == .approved ? "--paid" : "--not-paid"
            let step = operation.outcome.isByHand == true ? "or confirm what is recorded" : "then confirm it"
            hints.append("\(step): clover charge settle \(operation.id) \(end)")
        case .unasked(let obstacle):
            self.init(
                obstacle.isSignInRefused ? .notAuthorized : .unavailable, "payment_unasked", obstacle.words,
                "run it again later")
        case .unsettled(let unknown, let contradicted, let failed, let byHand):
            let isOpen = unknown + contradicted > 0
            self.init(
                isOpen ? .outcomeUnknown : .partlyFailed, isOpen ? "outcome_unknown" : "some_failed",
                [
                    unknown > 0 ? "\(unknown) \(unknown == 1 ? "is" : "are") still unknown" : nil,
                    contradicted > 0 ? "\(contradicted) did not end as recorded before" : nil,
                    failed > 0 ? "\(failed) could not be worked on" : nil,
                ].compactMap(\.self).joined(separator: ", "), "see the reasons above; run it again later")
            if contradicted > 0 {
                hints.append(
                    "this is repeated until you confirm or correct what is named: clover charge settle ID --paid, or --not-paid"
                )
            }
            if let byHand, contradicted == 0 || byHand.rail.hasReader {
                hints.append(Self.byHand(byHand.id, byHand.rail.noun))
            }
        }
    }

    /// Nothing was sent before --max-time ran out.
    init(_ error: MaxTimeExceeded) {
        let obstacle = error.cause.map { Obstacle($0, check: "clover state check") }
        self.init(
            outOfTime: obstacle,
            "--max-time \(Self.shortened(error.seconds)) ran out, and nothing was carried out"
                + (obstacle.map { ": \($0.words)" } ?? ""),
            obstacle == nil
                ? "try again later; to see who uses the budget, and how long a pause lasts: clover limits"
                : "then try again, or raise --max-time")
    }

    /// What to do about an outcome that a response contradicts.
    private static func correction(_ operation: PaymentOperation) -> String {
        if operation.outcome.elsewhere != nil, operation.outcome.candidates == nil {
            return "the journal now has what Clover shows; look it up in the merchant's dashboard"
        }
        guard operation.outcome.isByHand == true else {
            return "the journal now has it as \(operation.state.rawValue); "
                + (operation.kind == .refund && operation.state == .declined
                    ? "look it up in the dashboard before you give the money back again"
                    : "if it was charged again, refund one of the two")
        }
        var payment = operation.outcome.candidates?.first.map { " --payment \($0)" } ?? ""
        if !payment.isEmpty, let shown = operation.outcome.shownAmount, let asked = operation.amount {
            payment += " --amount \(Money(minorUnits: shown, currency: asked.currency).majorText)"
        }
        guard operation.state != .approved || !payment.isEmpty else {
            return "look again; if it was not carried out, run: clover charge settle \(operation.id) --not-paid"
        }
        return "look again; if this is its payment, run: clover charge settle \(operation.id) --paid\(payment)"
    }

    /// The hint for an operation whose outcome may never be reported. Only a charge may have a reader.
    static func byHand(_ id: String, _ noun: String) -> String {
        let named = noun == "plan" || noun == "subscription" ? " --payment \(noun.uppercased())_ID" : ""
        let place = noun == "charge" ? "the reader or the dashboard" : "the dashboard"
        return "or record what \(place) shows: clover charge settle \(id) --paid\(named), "
            + "or --not-paid"
    }

    /// A part was approved and kept, as far as the journal has it: taken, or held.
    ///
    /// - Parameter followUps: those of the charge, oldest first.
    private init(partKept operation: PaymentOperation, after followUps: [PaymentOperation]) {
        let totals = ChargeTotals(operation, followUps)
        func text(_ amount: Int64) -> String {
            operation.amount.map { "\(Money(minorUnits: amount, currency: $0.currency))" } ?? "\(amount)"
        }
        let end =
            if totals.isVoided {
                "and voided since"
            } else if !totals.isCaptured {
                "and held"
            } else if totals.captured < totals.held {
                "and \(text(totals.captured)) of it taken"
            } else {
                "and taken"
            }
        let place = operation.outcome.elsewhere?.captured == nil ? "" : " elsewhere"
        self.init(
            .incomplete, "partial",
            "\(Self.approved(operation)) of \(Self.asked(operation)) was approved, \(end)\(place)")
        if totals.refunded > 0 { message += "; \(text(totals.refunded)) of it was refunded since" }
        let isHeld = !totals.isCaptured && !totals.isVoided
        if isHeld {
            let undo =
                FollowUpPlan.isPossible(.void, on: operation, after: followUps)
                ? "void it: clover charge void \(operation.id)" : "release it in the merchant's dashboard"
            hints.append("take it: clover charge capture \(operation.id); or \(undo)")
        }
        let kept = totals.isVoided ? 0 : isHeld ? totals.held : max(0, totals.captured - totals.refunded)
        hints.append("charge the rest in another way: \(text((operation.minorUnits ?? 0) - kept))")
    }

    /// A part was approved, although partial approval was not accepted.
    private init(part operation: PaymentOperation, void: OperationState, open: String?) {
        let part = "the card covers \(Self.approved(operation)) of \(Self.asked(operation)) only"
        let word = (operation.reversal?.kind ?? .void).rawValue
        if void == .approved {
            self.init(
                .declined, "partial", "\(part); that was voided, and nothing is charged",
                "to accept a partial approval, add --accept-partial")
        } else if void.isFinal {
            self.init(
                .outcomeUnknown, "partial_not_voided",
                "\(part); that could not be voided, so that it is \(operation.request.type == .preauth ? "held" : "charged")",
                "void it: clover charge \(word) \(operation.id)")
        } else {
            self.init(
                .outcomeUnknown, "partial_not_voided", "\(part), and it is uncertain whether this was voided",
                "settle that first: clover charge recover \(open ?? "--all")",
                "then see what is left: clover charge show \(operation.id) --check, and undo it: clover charge \(word) \(operation.id)"
            )
            if let open { hints.insert(Self.byHand(open, word), at: 1) }
        }
    }

    /// It was carried out, and the output that says so is lost.
    private init(unprinted operation: PaymentOperation, _ error: RecordWriteError) {
        var amount = operation.amount
        if let approved = operation.outcome.amount, operation.kind == .charge { amount?.minorUnits = approved }
        let facts = [amount.map { "\($0)" }, operation.outcome.paymentID.map { "payment \($0)" }]
        let known = facts.compactMap(\.self).joined(separator: ", ")
        let what = operation.kind == .charge ? "was approved" : "(\(operation.kind.rawValue)) was carried out"
        self.init(
            .inputOutput, "write_failed",
            "\(operation.id) \(what)\(known.isEmpty ? "" : ": \(known)"); "
                + "but standard output \(Self.writeFault(error))",
            "do not \(operation.kind == .charge ? "charge it again" : "do it again"); "
                + "to see it: clover charge show \(operation.parent ?? operation.id)")
    }

    private static func writeFault(_ error: any Error) -> String {
        switch error as? RecordWriteError {
        case .failed(let number): "cannot be written: \(String(cString: strerror(number)))"
        case .closed, nil: "was closed by its reader"
        }
    }

    /// The request was sent, but the journal could not record that; it must not be taken for not done.
    private init(unrecorded operation: PaymentOperation, _ cause: any Error) {
        let end = operation.state == .unknown ? "" : " and \(operation.state.rawValue)"
        self.init(
            code: "unrecorded", status: .outcomeUnknown,
            message: "\(operation.id) was sent\(end), but the journal could not record it",
            hints: [], http: operation.outcome.http)
        if case .report(let report) = Self.ending(of: cause) {
            message += ": \(report.message)"
            hints = report.hints
        }
        let what = operation.kind == .charge ? "charge it again" : "do it again"
        hints.append(
            "do not \(what); when the journal can be used, settle it with: clover charge recover \(operation.id)")
    }

    /// The operation was not carried out: no money moved.
    private static func refused(_ operation: PaymentOperation) -> ErrorReport {
        let outcome = operation.outcome
        let meaning = outcome.code.flatMap(PaymentErrorCode.meaning)
        var words = meaning?.words ?? outcome.reason ?? outcome.text ?? "the service gave no reason"
        if let code = outcome.code { words += " (\(code))" }
        if let text = outcome.text, meaning != nil { words += ": \(text)" }
        var report = ErrorReport(
            code: outcome.code ?? operation.state.rawValue, status: status(of: operation, meaning?.cause),
            message: words, http: outcome.http)
        // It rests on records that did not show a payment.
        let isProvisional = outcome.isProvisional == true
        switch operation.state {
        case .declined: report.message = "declined: \(words)"
        case .cancelled: report.message = "cancelled: \(words)" + (isProvisional ? "" : "; nothing was charged")
        default:
            let noun = operation.kind == .charge ? operation.rail.noun : operation.kind.rawValue
            report.message = "\(noun) \(isProvisional ? "refused" : "not carried out"): \(words)"
        }
        report.hints = hints(operation, meaning?.cause)
        if isProvisional {
            report.message +=
                operation.kind == .charge && operation.rail.isCharge
                ? "; no payment is shown so far" : "; \(operation.absence ?? "no effect is shown so far")"
            report.hints.append("to look again: clover charge recover \(operation.id); --all does so for seven days")
        }
        return report
    }

    private static func status(of operation: PaymentOperation, _ cause: PaymentErrorCode.Cause?) -> ExitStatus {
        if operation.state != .failed || operation.outcome.isByHand == true { return .declined }
        // Of a page, a status that comes without Clover's words says only that its address never arrived.
        if operation.rail.makesPage, operation.outcome.code == nil, operation.outcome.text == nil {
            return .unavailable
        }
        switch operation.outcome.http {
        case nil where operation.outcome.code == nil:
            // Never sent, or an old operation that left no trace.
            return operation.rail.isCharge ? .declined : .unavailable
        case 401, 403: return .notAuthorized
        case 404: return .notFound
        case 503: return .tryAgain
        default: break
        }
        switch cause {
        case .card: return .declined
        case .request, .state: return .usage
        case .account: return .notAuthorized
        case .service: return .unavailable
        case nil: return operation.outcome.http.map { $0 >= 500 } ?? true ? .unavailable : .usage
        }
    }

    private static func hints(_ operation: PaymentOperation, _ cause: PaymentErrorCode.Cause?) -> [String] {
        switch cause {
        case .card: ["ask for another card, or another way to pay"]
        case .service where operation.state == .failed:
            operation.outcome.isProvisional == true ? [] : ["nothing was charged; try again later"]
        case .account: ["see 'clover auth status --check', and the merchant's set-up at Clover"]
        case .state: operation.parent.map { ["see what became of it: clover charge show \($0) --check"] } ?? []
        case .request, .service, nil: []
        }
    }

    private static func asked(_ operation: PaymentOperation) -> String {
        operation.amount.map { "\($0)" } ?? "the amount"
    }

    private static func approved(_ operation: PaymentOperation) -> String {
        guard var amount = operation.amount else { return "a part" }
        amount.minorUnits = operation.outcome.amount ?? 0
        return "\(amount)"
    }

    /// A card that cannot be used. The message repeats nothing of the input.
    init(_ fault: CardData.Fault) {
        let form = #"write it as {"number":"...","exp_month":"12","exp_year":"2030","cvv":"..."}"#
        self.init(.badData, "bad_card", Self.words(fault), form)
    }

    /// A card that was not typed on the terminal.
    init(_ fault: TypedCardFault) {
        self.init(.badData, "bad_card", fault.reason, "run it again, and \(fault.remedy)")
    }

    fileprivate static func words(_ fault: CardData.Fault) -> String {
        switch fault {
        case .absent: "there is no card on standard input"
        case .notJSON: "the card on standard input is not JSON"
        case .missing(let field): "the card has no '\(field)'"
        case .number: "the card number is not 12 to 19 digits"
        case .checkDigit: "the card number has a wrong digit"
        case .month: "the month of expiry is not one of 1 to 12"
        case .year: "the year of expiry is not two or four digits"
        case .expired: "the card has expired"
        case .securityCode: "the security code is not three or four digits"
        case .securityCodeLength(let length): "the security code of this card has \(length) digits"
        }
    }

    /// Errors of the journal.
    init(_ error: JournalError) {
        switch error {
        case .transition(let id, let from, let to):
            self.init(
                .tryAgain, "settled_meanwhile",
                "\(id) is now \(from.rawValue), and cannot become \(to.rawValue): another process settled it",
                "see it: clover charge show \(id)")
        case .overtaken(let id):
            self.init(
                .tryAgain, "overtaken",
                "the connection to the journal was lost, and another process has taken over \(id)",
                "see what became of it: clover charge show \(id)")
        case .away(let address, let message):
            self.init(
                .tryAgain, Self.databaseAway, "cannot use the journal of charges in \(address): \(message)",
                "try again when the database is back; to see whether it is: clover state check")
        case .unusable(let address, let message, let fix):
            self.init(
                .configuration, "database_unusable", "cannot use the journal of charges in \(address): \(message)", fix)
        case .missing(let id):
            self.init(.notFound, "not_found", "no operation \(id) in the journal")
        case .malformed(let id):
            self.init(
                .configuration, "damaged_database", "the journal has a row that cannot be read: \(id)",
                "the row was left unchanged; update clover, or inspect it with sqlite3")
        case .lock(let path, let number):
            self.init(CoreError.unwritableFile(path: path, errno: number))
        }
    }
}

extension ErrorReport {
    /// An amount that is not valid, or ambiguous.
    init(_ refusal: AmountRefusal) {
        let text = refusal.text
        let option = refusal.option
        self.init(code: "bad_amount", status: .usage, message: "")
        switch refusal.reason {
        case .ambiguous(let currency):
            code = "ambiguous_amount"
            let zeros = String(repeating: "0", count: currency.decimals)
            if let point = text.firstIndex(of: ".") {
                let missing = currency.decimals - text[text.index(after: point)...].count
                message = "ambiguous amount '\(text)' in \(currency.code), which has \(currency.decimals) decimals"
                let isNothing = text.allSatisfy { $0 == "0" || $0 == "." }
                hints = isNothing ? [] : ["write \(option) \(text)\(zeros.suffix(missing))"]
            } else {
                guard option != "--amount" || text.contains(where: { $0 != "0" }) else {
                    // Zero is never charged, however it is written.
                    code = "bad_amount"
                    message = "'\(text)' is not an amount of money: \(option) must be more than zero"
                    break
                }
                let names = Self.units(currency)
                message =
                    "ambiguous amount '\(text)' in \(currency.code): \(text).\(zeros) \(names.major) or \(text) \(names.minor)?"
                hints = [
                    option == "--amount"
                        ? "write --amount \(text).\(zeros), or --minor \(text)" : "write \(option) \(text).\(zeros)"
                ]
            }
        case .tooManyDecimals(let currency):
            message =
                currency.decimals == 0
                ? "'\(text)' has decimals, and \(currency.code) has none"
                : "'\(text)' has more decimals than \(currency.code), which has \(currency.decimals)"
        case .unknownCurrency(let code):
            self.code = "bad_currency"
            message = "'\(code)' is not a currency code of ISO 4217"
            hints = ["use its three letters, such as USD"]
        case .empty: message = "\(option) is empty"
        case .separator(let character):
            message = "'\(text)' has a separator '\(character)': write only digits, and a point before the decimals"
        case .sign: message = "'\(text)' has a sign: an amount has none"
        case .space: message = "'\(text)' has a space inside, or around it"
        case .currencySign: message = "'\(text)' names a currency: give only the number, and --currency"
        case .notation: message = "'\(text)' is written with an exponent or a base: an amount is plain digits"
        case .foreignDigit: message = "'\(text)' has digits other than 0 to 9"
        case .misplacedPoint: message = "'\(text)' has no digit before or after its point, or more than one point"
        case .leadingZero: message = "'\(text)' begins with a redundant zero"
        case .fraction: message = "'\(text)' has a point: \(option) takes a whole number of the smallest unit"
        case .notNumber: message = "'\(text)' is not a number"
        case .tooLarge: message = "'\(text)' is larger than any amount"
        }
        if hints.isEmpty {
            let example = Money(minorUnits: 1250, currency: refusal.currency ?? .usDollar).majorText
            hints = ["write it as --amount \(example), or in the smallest unit as --minor 1250"]
        }
    }

    private static func units(_ currency: Currency) -> (major: String, minor: String) {
        switch currency.code {
        case "USD", "CAD", "AUD", "NZD", "SGD", "HKD": ("dollars", "cents")
        case "EUR": ("euros", "cents")
        case "GBP": ("pounds", "pence")
        default: (currency.code, "of its smallest unit")
        }
    }
}

extension TypedCardFault {
    /// What is wrong, in lower case, without a full stop.
    var reason: String {
        switch self {
        case .expiry: "write the expiry as MM/YY"
        case .card(let fault): ErrorReport.words(fault)
        }
    }

    /// What to type.
    var remedy: String {
        switch self {
        case .expiry, .card(.month), .card(.year): "type month and year separated by a slash, such as 12/30"
        case .card(.number), .card(.checkDigit): "type the digits as they are on the card"
        case .card(.expired): "type the date on the card, or press Ctrl-C to stop"
        case .card(.securityCode), .card(.securityCodeLength(3)): "type the three digits on the back of the card"
        case .card(.securityCodeLength): "type the four digits on the front of the card"
        case .card(.absent), .card(.notJSON), .card(.missing): "answer each question"
        }
    }
}

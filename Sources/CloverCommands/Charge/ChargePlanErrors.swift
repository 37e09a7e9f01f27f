import CloverCore
import CloverJSON
import CloverOutput
import CloverPayments

extension ErrorReport {
    /// The hint of a charge that the journal does not have.
    static let chargeList = "the charges: clover charge list"

    /// A plan that the rail or the charge does not allow; found before anything was written or sent.
    init(_ refusal: PaymentPlanError) {
        self.init(code: "refused_plan", status: .usage, message: "")
        switch refusal {
        case .railMissing:
            code = "usage"
            message = "choose how to charge: --source, --card -, --customer, --device or --reader"
            hints = ["see 'clover help charge create'"]
        case .railsConflict:
            code = "usage"
            message = "--source, --card, --customer, --device and --reader exclude each other"
        case .amountOutOfRange(let amount, let rail):
            let range = rail.amountRange
            func text(_ units: Int64) -> String { "\(Money(minorUnits: units, currency: amount.currency))" }
            message =
                "\(amount) is outside the range of \(rail.displayName): \(text(range.lowerBound)) to \(text(range.upperBound))"
        case .partOutOfRange(let name, let amount):
            message = "the \(name) is out of range for an amount of \(amount)"
        case .tipOnAdjustable(let type):
            message = "a tip cannot be given with --\(type.rawValue), where it is added later"
            hints = [
                type == .auth
                    ? "leave --tip out, then: clover charge tip ID --amount 3.00"
                    : "leave --tip out, then: clover charge capture ID --tip 3.00"
            ]
        case .tipOnHold:
            message = "the ecommerce API accepts no tip on a pre-authorization, nor with its capture"
            hints = ["a tip is given with a charge that is taken at once: --sale --tip 3.00"]
        case .adjustableEcommerce:
            message = "an ecommerce charge cannot be adjusted later, as --auth requires"
            hints = ["use --sale, with --tip for the tip, or --preauth to capture later"]
        case .noEcommerce(let environment):
            message = "there is no Ecommerce API in '\(environment)': it is for the United States and Canada"
            hints = ["charge on a Clover device: --device SERIAL"]
        case .tooLong(let option, let limit):
            message = "\(option) takes 1 to \(limit) characters"
        case .optionNotOnRail(let option, let rail):
            message = "\(option) does not apply to \(rail.displayName)"
            if option == "--receipt-email" { hints = ["after the charge: clover charge receipt ID --email ADDRESS"] }
        case .malformedMetadata:
            message = "--metadata takes name=value"
        case .repeatedMetadata(let name):
            message = "--metadata has '\(Self.shown(name))' twice"
        case .timeoutOutOfRange(let limit):
            message = "--timeout takes 0 to \(limit) seconds"
        case .cardNumberAsSource:
            code = "card_number"
            message = "the value of --source looks like a card number; it must be a token"
            hints = [
                "a card is never an argument, because other processes can see arguments: use --card - and standard input",
                "your shell may have kept the command in its history: remove it there",
            ]
        case .malformedKey(let option):
            message = "\(option) takes letters, digits, '-', '_' and '.'"
        case .malformedDeviceAddress:
            message = "--device-address takes an address such as https://192.168.1.20:12346"
        case .foreignDevice(let serial, let merchantID, let environment):
            code = "foreign_device"
            message = "merchant \(merchantID) (\(environment)) has no device with the serial number '\(serial)'"
            hints = ["its devices: clover get devices --jq '{serial,name}'"]
        case .otherCurrency(let currency, let merchantID, let merchantCurrency):
            code = "other_currency"
            message = "merchant \(merchantID) charges in \(merchantCurrency), not in \(currency.code)"
            hints = ["give the amount in the merchant's currency: --currency \(merchantCurrency)"]
        case .readerCannotCharge(let driver):
            code = "no_card_driver"
            status = .unavailable
            message =
                driver.map { "the reader's driver '\($0)' cannot read cards: Clover publishes no card protocol for it" }
                ?? "there is no reader with a driver that can read cards"
            hints = [
                "ways that work: --device SERIAL (a Clover device), --card - or --source TOKEN (ecommerce),",
                "or a reader with an external driver that can charge: man clover-reader-driver",
            ]
        case .otherMerchant(let id, let merchantID, let environment):
            code = "other_merchant"
            message = "\(id) belongs to merchant \(merchantID) (\(environment)), which is not the one signed in to"
            hints = ["add --merchant \(merchantID) --environment \(environment)"]
        case .keyInUse(let id):
            code = "key_in_use"
            message = "the idempotency key belongs to something else: \(id)"
            hints = ["see it: clover charge show \(id)", "leave --idempotency-key out, or use another one"]
        case .keyOfFormerPayment(let kind, let id, let charge, let payment):
            code = "key_in_use"
            message =
                "the idempotency key belongs to \(id), a \(kind.rawValue) of the payment \(payment), which \(charge) had before"
            hints = ["see it: clover charge show \(id)", "leave --idempotency-key out, or use another one"]
        case .unknownOperation(let id):
            code = "not_found"
            status = .notFound
            message = "no charge '\(Self.shown(id))' in the journal"
            hints = [Self.chargeList]
            // As Clover makes its ids.
            if id.wholeMatch(of: /[0-9A-Z]{13}/) != nil {
                hints.append(
                    "a payment that was not made from here is refunded in the merchant's dashboard, or on a Clover device"
                )
            }
        case .settledBefore(let id, let state):
            code = "settled_before"
            message = "\(id) is \(state.rawValue), as a response has confirmed, which is final"
            hints = ["see it: clover charge show \(id) --check"]
        case .shownAsPaid(let id, let findings):
            code = "shown_as_paid"
            message =
                "payments for the page \(id) are shown"
                + (findings.isEmpty
                    ? "" : ", so that it is not recorded as not paid: \(findings.joined(separator: "; "))")
            hints = [
                "give them back in the merchant's dashboard, then look again: clover checkout wait \(id)",
                "if they are what you expect: clover charge settle \(id) --paid",
                "one that is another charge's: clover charge settle OTHER --paid --payment ID, then clover charge recover \(id)",
            ]
        case .paymentOfAnother(let id, let payment, let other):
            code = "payment_of_another"
            message = "\(payment) is the payment of \(other), so it cannot be that of \(id)"
            hints = [
                "see both: clover charge show \(other) --check; clover charge show \(id) --check",
                "if it is not that of \(other), free it: clover charge settle \(other) --not-paid",
            ]
        case .paymentDiffers(let id, let payment, let difference):
            code = "payment_differs"
            let end =
                difference.amount == nil ? "so it cannot be that of \(id), which is of" : "and \(id) is of"
            message = "Clover shows \(Self.shown(payment)) with \(difference.shown), \(end) \(difference.recorded)"
            hints = Self.withoutPayment(id)
            if let amount = difference.amount {
                let command = "clover charge settle \(id) --paid --payment \(Self.shown(payment))"
                hints.append(
                    "to record it as the charge's payment with that amount: \(command) --amount \(amount.majorText)")
            }
        case .paymentUnpaid(let id, let payment, let state):
            code = "payment_unpaid"
            message = "\(Self.shown(payment)) is '\(state)' at Clover, so \(id) is not recorded as paid"
            hints = [
                "look again later: clover charge recover \(id)",
                "if nothing of it is kept: clover charge settle \(id) --not-paid",
            ]
        case .paymentMissing(let id, let payment):
            code = "no_such_payment"
            message = "Clover does not have \(Self.shown(payment)), so it cannot be that of \(id)"
            hints = Self.withoutPayment(id)
        case .itemUnchecked(let id, let noun, let reason):
            code = "unchecked"
            status = .unavailable
            message = "the \(noun) of \(id) could not be looked up, so nothing was recorded: \(reason)"
            hints = ["run it again later"]
        case .itemUnnamed(let id, let noun):
            message = "\(id) is a \(noun): name the one that was made"
            hints = [Self.byHand(id, noun)]
        case .amountNotConfirmed(let id):
            message = "--amount is for the payment of a charge, and \(id) is none"
            hints = ["leave --amount out, or record only the end: clover charge settle \(id) --paid"]
        case .neverSent(let id):
            code = "never_sent"
            message = "\(id) was never sent: the program ended before, so it cannot have been carried out"
            hints = ["settle it with: clover charge recover \(id)"]
        case .inUseByProcess(let id):
            code = "worked_on"
            status = .tryAgain
            message = "\(id) is being worked on by another process"
            hints = ["wait until it is done, then see it: clover charge show \(id)"]
        case .malformedPerson:
            code = "usage"
            message = "--by takes a name of 1 to 64 characters"
        case .handedOff(let id):
            code = "handed_off"
            message = "\(id) was handed to the Square app, and Clover has no record of it"
            hints = [
                "if you have the app's response, it settles the charge: clover charge square response URL",
                "if no response came, look in the Square app, then run: clover charge square settle \(id) --paid or --not-paid",
                "do anything else in the Square app, or in Square's dashboard",
            ]
        case .notOnRail(let kind, let rail, let id):
            message = "\(rail.displayName) does not support \(kind.rawValue)"
            hints = Self.alternatives(kind, rail, id)
        case .wrongState(let kind, let id, let state):
            message = "\(kind.rawValue) is not possible: \(id) is \(state.rawValue)"
            if !state.isFinal { hints = ["settle it first: clover charge recover \(id)"] }
        case .paymentUnknown(let kind, let id):
            message = "\(kind.rawValue) is not possible from here: the ID of \(id)'s payment is not known"
            hints = [
                "look for the payment in Clover's dashboard, and add it: clover charge settle \(id) --paid --payment PAYMENT"
            ]
        case .wrongType(let kind, let id, let type):
            message = "\(kind.rawValue) is not possible: \(id) was made with --\(type.rawValue)"
            hints = [
                kind == .tip
                    ? "a later tip needs --auth; with a sale, give the tip with the charge"
                    : "this needs a charge made with --preauth"
            ]
        case .alreadyDone(let kind, let id):
            let word =
                switch kind {
                case .capture: "captured"
                case .void: "voided"
                case .refund: "refunded in full"
                case .charge, .tip, .increment, .receipt: "done"
                }
            message = "\(id) is \(word) already"
            hints = ["see it: clover charge show \(id)"]
        case .partlyRefunded(let id):
            message = "void is not possible: a part of \(id) was refunded"
            hints = ["give the rest back: clover charge refund \(id)"]
        case .notCaptured(let kind, let id):
            message = "\(kind.rawValue) is not possible yet: \(id) is not captured"
            hints = ["capture it: clover charge capture \(id)"]
        case .unsettled(_, let id, let pending):
            message = "\(pending) on \(id) is not settled, so the remaining amount is unknown"
            hints = ["settle it first: clover charge recover \(pending)", Self.byHand(pending, "")]
        case .exceedsRest(let kind, let id, let rest):
            message = "\(id) has \(rest) left for a \(kind.rawValue)"
        case .restUnknown(let id, let reason, let obstacle):
            code = "rest_unknown"
            switch obstacle {
            case .unshown: break
            case .unavailable: status = .unavailable
            case .signInRefused: status = .notAuthorized
            }
            message = "how much of \(id) is left is not known, so nothing was refunded: \(reason)"
            hints = ["name the amount: clover charge refund \(id) --amount AMOUNT, or run it again later"]
        case .receiptWithoutAddress:
            message = "say where to send it: --email ADDRESS, or --phone NUMBER"
        case .notCharge(let id, let kind):
            message = "\(id) is a \(kind.rawValue), not a charge"
        }
    }

    private static func alternatives(_ kind: OperationKind, _ rail: PaymentRail, _ id: String) -> [String] {
        switch (kind, rail) {
        case (.void, .ecommerce): ["refund it instead: clover charge refund \(id)"]
        case (.tip, .ecommerce): ["give the tip with the charge: --tip"]
        case (.receipt, .ecommerce): ["ask for the receipt with the charge: --receipt-email"]
        case (_, .reader): ["do it in the merchant's dashboard, or on a Clover device"]
        default: []
        }
    }

    /// What to do about a payment that is not the operation's.
    private static func withoutPayment(_ id: String) -> [String] {
        // A plan or subscription has to be named.
        for noun in ["plan", "subscription"] where id.hasPrefix("\(noun.prefix(1))_") {
            return ["look up the \(noun)'s ID in the merchant's dashboard", byHand(id, noun)]
        }
        return [
            "look up the payment's id in the merchant's dashboard",
            "to record only that all of it was carried out: clover charge settle \(id) --paid",
        ]
    }

    private static func shown(_ id: String) -> String { String(id.prefix(64)) }
}

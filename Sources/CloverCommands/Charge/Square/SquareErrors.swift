import CloverCallback
import CloverCore
import CloverJSON
import CloverOutput
import CloverPayments
import CloverSquare
import Glibc

/// Errors of payments with the Square app.
enum SquareError: Error, Sendable {
    /// The input does not make a valid request.
    case request(SquareFailure)
    /// Some requests of a batch could not be made; the output has the error of each.
    case requestsFailed(Int, of: Int)
    /// An amount in major units of a currency that is not in ISO 4217.
    case decimalsUnknown(currency: String)
    /// A tender that the profile does not know.
    case unknownTender(String, known: [String])
    /// `all` together with other tenders.
    case allAmongTenders
    /// The rules have only one API version, or the given version is empty.
    case apiVersionRefused(SquareRules)
    /// The desktop opens no app for the request.
    case cannotOpen(BrowserError, SquareFailure)
    /// `--qr` cannot draw the code.
    case notDrawn(TerminalQRCode.Obstacle)
    /// Neither the arguments nor standard input contain a URL.
    case noResponseGiven
    /// The URL is not a response of the Square app; `isOfAndroid`: it looks like one of the app on Android, which is not the
    /// selected platform.
    case notResponse(SquareFailure, isOfAndroid: Bool)
    /// The Square app reports that there was no payment, and why.
    case notPaid(SquareReportedError)
    /// The Square app reports an error that does not show whether there was a payment.
    case outcomeUnknown(SquareReportedError)
    /// The Square app reports a payment that cannot be matched with one open request of the journal.
    case unmatched
    /// The Square app reports this payment, and the journal could not record it.
    case unrecorded(payment: String, any Error)
    /// The Square app reports no payment, but the journal has the hand-off as paid.
    case paidBefore(id: String)
    /// Several URLs, not all of which report an expected payment.
    case responsesFailed(SquareResponseFailures, of: Int)
    /// `--bind` without a valid address.
    case malformedAddress(String)
    /// A public URL that is not a valid http or https URL.
    case malformedPublicURL(String)
    /// The listener cannot open its port.
    case cannotListen(address: String, CallbackError)
    /// The charge in the journal is not a hand-off to the Square app.
    case notHandOff(id: String)
    /// The response has another state than the named hand-off.
    case otherState(id: String)
    /// The hand-off already has another outcome, which stands.
    case settledBefore(id: String, OperationState)
    /// The hand-off was paid by another payment than the named one.
    case paidOtherwise(id: String)
    /// The named payment already settled this other hand-off.
    case transactionElsewhere(id: String)
    /// The response did not arrive within this number of seconds.
    case noAnswer(seconds: Double)
}

/// Numbers of URLs that do not report an expected payment.
struct SquareResponseFailures: Sendable, Equatable {
    var notPaid = 0
    var notResponse = 0
    var unknown = 0
    var unmatched = 0
    var unrecorded = 0
}

extension ErrorReport {
    /// Errors of payments that are handed to the Square app.
    init(_ error: SquareError) {
        switch error {
        case .request(let failure): self.init(failure, status: .usage)
        case .requestsFailed(let failed, let count):
            self.init(
                .partlyFailed, "lines_failed",
                "\(failed) of \(count == 1 ? "1 request" : "\(count) requests") could not be made",
                "each has its error in the output")
        case .unknownTender(let word, let known):
            self.init(.usage, "bad_tender", "there is no tender '\(word)'", "tenders: " + known.joined(separator: ", "))
        case .allAmongTenders:
            self.init(
                .usage, "bad_tender", "the tender 'all' includes every other, and cannot be combined",
                "to allow all, leave --tender out; otherwise, name the allowed ones")
        case .decimalsUnknown(let currency):
            self.init(
                .usage, "bad_currency", "'\(currency)' is not a currency of ISO 4217, so its decimals are unknown",
                "give the amount in its smallest unit with --minor, which takes any currency")
        case .notHandOff(let id):
            self.init(
                .usage, "not_handed_off", "\(id) was not handed to the Square app, but charged at Clover",
                "to settle it: clover charge recover \(id)")
        case .otherState(let id):
            self.init(
                .usage, "other_state",
                "the response is not that of \(id), whose state is different; the app returns the state unchanged",
                "to see the state of \(id), as externalId: clover charge show \(id) --json")
        case .settledBefore(let id, let state):
            self.init(
                .usage, "settled_before", "\(id) is \(state.rawValue), which is final: a payment is not undone by hand",
                "see it: clover charge show \(id)")
        case .paidOtherwise(let id):
            self.init(
                .usage, "settled_before", "\(id) is approved with another transaction, which is final",
                "to see it, as payment: clover charge show \(id)")
        case .transactionElsewhere(let id):
            self.init(
                .usage, "transaction_elsewhere", "that transaction already settled another hand-off: \(id)",
                "see it: clover charge show \(id)")
        case .apiVersionRefused(let rules):
            self.init(
                .usage, "bad_api_version",
                rules.acceptsOtherAPIVersions
                    ? "--api-version is empty"
                    : "\(rules.profile.rawValue) on \(rules.platform.rawValue) has only one version of the API",
                "leave --api-version out")
        case .cannotOpen(let error, let failure):
            self.init(failure, status: .unavailable)
            message = "the request was not opened: \(Self.reason(error))"
            hints = [
                failure.platform == .androidWeb
                    ? "put the URL of the output into a link on a page, and open that on the device with the Square app"
                    : "open the URL of the output on the device with the Square app, or draw it with --qr"
            ]
        case .notDrawn(let obstacle): self.init(obstacle)
        case .noResponseGiven:
            self.init(
                .usage, "usage", "no URL was given: neither as an argument nor on standard input",
                "pass the callback URL unchanged, quoted for the shell")
        case .notResponse(let failure, let isOfAndroid):
            self.init(failure, status: .badData)
            message = "this is not a response of the Square app: \(message)"
            if isOfAndroid { hints = ["it is a response of the app on Android: add --platform android-web"] }
        case .notPaid(let error):
            self.init(
                code: error.name, status: .declined, message: "not paid: \(error.message) (\(error.wire))",
                hints: [error.remedy],
                foreign: ExternalError(domain: error.domain, number: error.number, name: error.name))
        case .outcomeUnknown(let error):
            self.init(
                code: error.name, status: .outcomeUnknown,
                message: "unknown whether it was paid: \(error.message) (\(error.wire))", hints: [error.remedy],
                foreign: ExternalError(domain: error.domain, number: error.number, name: error.name))
        case .unmatched:
            self.init(
                .outcomeUnknown, "unmatched",
                "the response reports a payment that cannot be matched with one open request of the journal",
                "look in the Square app what was paid, before you ask for a payment again",
                "if you know the request: clover charge square response --charge ID URL")
        case .unrecorded(let payment, let cause):
            self.init(
                .outcomeUnknown, "unrecorded",
                "the Square app reports a \(payment), and the journal could not record it")
            if case .report(let report) = Self.ending(of: cause) {
                message += ": \(report.message)"
                hints = report.hints
            }
            hints.append("do not ask for the payment again; when the journal can be used, read the same URL again")
        case .paidBefore(let id):
            self.init(
                .outcomeUnknown, "paid_before",
                "the response says that nothing was paid, but the journal has \(id) as paid",
                "look in the Square app what was paid, before you ask for a payment again",
                "see it: clover charge show \(id)")
        case .responsesFailed(let failures, let count):
            self.init(failures, of: count)
        case .malformedAddress(let text):
            self.init(
                .usage, "bad_address", "--bind takes a numeric address, not '\(text)'",
                "such as 127.0.0.1, 0.0.0.0 (all of IPv4) or ::1")
        case .malformedPublicURL(let text):
            self.init(
                .usage, "bad_url", "--callback-url takes the address of a page, not '\(text)'",
                "such as https://cafe.example/paid")
        case .cannotListen(let address, let error): self.init(listeningOn: address, error)
        case .noAnswer(let seconds):
            self.init(
                .tryAgain, "no_answer", "no response of the Square app came within \(Self.shortened(seconds))",
                "before you ask again, look in the Square app whether the payment was made",
                "to wait longer, use --timeout")
        }
    }

    /// Several responses, of which the worst decides: money that may have moved.
    private init(_ failures: SquareResponseFailures, of count: Int) {
        func part(_ number: Int, _ singular: String, _ plural: String) -> String? {
            number == 0 ? nil : "\(number) \(number == 1 ? singular : plural)"
        }
        let parts = [
            part(failures.notPaid, "says 'not paid'", "say 'not paid'"),
            part(failures.notResponse, "is not a response of the Square app", "are not responses of the Square app"),
            part(failures.unknown, "does not show whether it was paid", "do not show whether they were paid"),
            part(
                failures.unmatched, "is a payment that matches no single open request",
                "are payments that match no single open request"),
            part(
                failures.unrecorded, "is a payment that could not be recorded",
                "are payments that could not be recorded"),
        ]
        self.init(
            .declined, "not_paid", "of \(count) URLs " + parts.compactMap(\.self).joined(separator: ", and "),
            "see the errors in the output")
        if failures.unknown + failures.unmatched + failures.unrecorded > 0 {
            code = "outcome_unknown"
            status = .outcomeUnknown
        } else if failures.notResponse > 0 {
            code = "not_answer"
            status = .badData
        }
    }

    /// The SDK's own errors, under their own names.
    private init(_ failure: SquareFailure, status: ExitStatus) {
        self.init(
            code: failure.name, status: status, message: "\(failure.message) (\(failure.name))",
            hints: [failure.remedy],
            foreign: ExternalError(
                domain: SquareErrorCode.domain, number: failure.code.rawValue, name: failure.name))
    }

    /// Why the desktop could not open the app.
    private static func reason(_ error: BrowserError) -> String {
        switch error {
        case .noDisplay: "there is no display here"
        case .noBrowser(let tried): "\(tried.joined(separator: ", ")) cannot be started"
        case .refused(let program, let status):
            status == 3
                ? "\(program) found no program for it (status 3)" : "\(program) ended with status \(status)"
        case .notWebAddress: "\(error)"
        }
    }

    /// Why the QR code cannot be drawn; nothing was made or recorded.
    private init(_ obstacle: TerminalQRCode.Obstacle) {
        self.init(code: "no_qr_code", status: .cannotCreate, message: "")
        hints = ["leave --qr out, and open the URL in another way"]
        switch obstacle {
        case .noTerminal: message = "no QR code can be drawn: neither standard output nor standard error is a terminal"
        case .tooLong(let bytes): message = "no QR code can be drawn: none is large enough for \(bytes) bytes"
        case .unencodable: message = "no QR code can be drawn: the URL has none"
        case .libraryMissing(let detail):
            message = "no QR code can be drawn: \(detail)"
            hints = ["install Debian's libqrencode4, or leave --qr out and open the URL in another way"]
        case .doesNotFit(let columns, let rows, let size):
            let height = size.rows.map { " by \($0) rows" } ?? ""
            message =
                "the QR code does not fit: it needs \(columns) columns by \(rows) rows, and the terminal has "
                + "\(size.columns) columns\(height)"
            hints = ["make the terminal larger or its letters smaller, or leave --qr out"]
        }
    }

    private init(listeningOn address: String, _ error: CallbackError) {
        switch error {
        case .portInUse(let port):
            self.init(
                .tryAgain, "port_in_use", "cannot listen on \(address), port \(port): it is in use",
                "end the other program, or choose another port with --port")
        case .cannotListen(let port, let number):
            self.init(
                .unavailable, "cannot_listen",
                "cannot listen on \(address), port \(port): \(String(cString: strerror(number)))",
                "choose another address with --bind, or a port of 1024 or above with --port")
        case .alreadyTaken, .closed: self.init(error)
        }
    }
}

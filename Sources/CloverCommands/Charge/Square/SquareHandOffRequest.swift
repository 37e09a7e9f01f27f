import CloverAuth
import CloverConfiguration
import CloverCore
import CloverOutput
import CloverPayments
import CloverSquare

/// `charge square request`: makes one payment request from options.
struct SquareHandOffRequest: Sendable {
    /// The requested amount, as typed.
    enum Amount: Sendable, Equatable {
        /// In major units: `12.50`.
        case major(String)
        /// In the currency's smallest unit: `1250`.
        case minor(String)
    }

    let rules: SquareRules
    /// The request without amount, application id and tenders.
    var draft = SquareRequestDraft()
    var amount: Amount?
    var clientID: String?
    /// `all`, or the names of tenders separated by commas; nil allows all.
    var tenders: String?
    /// An API version other than the SDK's own.
    var apiVersion: String?

    init(rules: SquareRules) {
        self.rules = rules
    }

    /// A checked request that has not been shown yet.
    struct Made: Sendable {
        let handOff: SquareHandOff
        private let draft: SquareRequestDraft

        init(_ handOff: SquareHandOff, _ draft: SquareRequestDraft) {
            self.handOff = handOff
            self.draft = draft
        }

        /// Records the request in the charge journal. Must be called before the request is shown.
        func recordInJournal(in environment: CommandEnvironment) async throws {
            let diagnostics = environment.diagnostics
            for row in try await SquareJournal.add([(handOff, draft)], in: environment) {
                diagnostics.detail("recorded as \(row.id)")
                guard let rival = row.rival else { continue }
                let consequence =
                    rival.isSameRequest
                    ? "is the same request and has no response yet: the next response settles the newer of the two"
                    : "has the same state and no response yet, so a response alone settles neither of the two"
                diagnostics.notice(
                    "\(rival.id) \(consequence); if the older one gets no response: clover charge square settle "
                        + "\(rival.id) --not-paid")
            }
        }
    }

    /// Makes the request.
    ///
    /// The URL is byte for byte that of the SDK. A request without a state therefore gets none, although its response then
    /// cannot be matched to it.
    ///
    /// - Throws: `SquareError.request` with the first SDK check that fails, `.unknownTender`,
    ///   `.allAmongTenders`, `.apiVersionRefused`, `.decimalsUnknown`; `AmountRefusal`.
    func made(in environment: CommandEnvironment) async throws -> Made {
        var draft = draft
        draft.clientID = try await SquareClientID.resolve(clientID, in: environment)
        try SquareAmount.put(amount, into: &draft, profile: rules.profile)
        if let tenders { draft.tenders = try tenderSet(tenders) }
        if let apiVersion {
            guard rules.acceptsOtherAPIVersions, !apiVersion.isEmpty else { throw SquareError.apiVersionRefused(rules) }
        }
        let handOff = try handOff(draft)
        for notice in handOff.notices { environment.diagnostics.notice(notice.message) }
        return Made(handOff, draft)
    }

    private func handOff(_ draft: SquareRequestDraft) throws -> SquareHandOff {
        do throws(SquareFailure) {
            let request = try SquareRequest(draft, profile: rules.profile, platform: rules.platform)
            let other = apiVersion.flatMap { request.withAPIVersion(SquareText($0)) }
            return try (other ?? request).handOff()
        } catch {
            throw SquareError.request(error)
        }
    }

    private func tenderSet(_ words: String) throws(SquareError) -> SquareTenderSet {
        do throws(SquareTenderError) {
            return try SquareTenderSet(words: words, profile: rules.profile)
        } catch {
            switch error {
            case .unknown(let word, let known): throw .unknownTender(word, known: known)
            case .allAmongOthers: throw .allAmongTenders
            }
        }
    }
}

/// Parses the amount of a request.
///
/// The SDK reports the errors of a request in a fixed order. Therefore an invalid amount becomes an error of the draft,
/// which is reported in that order; only an ambiguous amount is refused at once.
enum SquareAmount {
    /// Sets the draft's amount, in the currency's smallest unit.
    ///
    /// An amount in major units needs a currency with a known number of decimals. If the SDK refuses the currency itself,
    /// the amount's text is ignored, because that error comes first.
    ///
    /// - Throws: `AmountRefusal` for an ambiguous amount; `SquareError.decimalsUnknown`.
    static func put(
        _ amount: SquareHandOffRequest.Amount?, into draft: inout SquareRequestDraft, profile: SquareProfile
    ) throws {
        guard let amount else { return }
        do throws(AmountError) {
            switch amount {
            case .minor(let text): draft.amount = try minor(text)
            case .major(let text):
                guard let code = draft.currency, !code.isEmpty, profile.currencies?.contains(code) ?? true else {
                    draft.amount = 0
                    return
                }
                draft.amount = try major(text, code.string)
            }
        } catch {
            switch (error, amount) {
            case (.ambiguous, .major(let text)):
                throw AmountRefusal(
                    text: text, option: "--amount", reason: error, currency: currency(draft.currency?.string))
            case (.unknownCurrency(let code), _): throw SquareError.decimalsUnknown(currency: code)
            default: draft.refuse(.amount, reason(error))
            }
        }
    }

    /// The currency with this code; nil if the code, and therefore its number of decimals, is unknown.
    private static func currency(_ code: String?) -> Currency? {
        guard let code else { return nil }
        do throws(RecordFormatError) {
            return try Currency(code: code)
        } catch {
            return nil
        }
    }

    private static func minor(_ text: String) throws(AmountError) -> Int {
        let (sign, digits) = parts(text)
        // Any currency will do: the smallest unit has no decimals.
        return sign * Int(try AmountText.minor(digits, in: .usDollar).minorUnits)
    }

    private static func major(_ text: String, _ code: String) throws(AmountError) -> Int {
        let currency = try AmountText.currency(code)
        let (sign, digits) = parts(text)
        do throws(AmountError) {
            return sign * Int(try AmountText.major(digits, in: currency).minorUnits)
        } catch .ambiguous(_) where digits.allSatisfy({ "0.".contains($0) }) {
            // Zero is unambiguous in any unit.
            return 0
        }
    }

    private static func parts(_ text: String) -> (sign: Int, digits: String) {
        text.hasPrefix("-") ? (-1, String(text.dropFirst())) : (1, text)
    }

    /// The reason for the message of the SDK's error.
    private static func reason(_ error: AmountError) -> String {
        switch error {
        case .empty: "is empty"
        case .tooManyDecimals(let currency):
            currency.decimals == 0
                ? "has decimals, but \(currency.code) has none"
                : "has more decimals than \(currency.code), which has \(currency.decimals)"
        case .fraction: "has a decimal point, but is in the smallest unit"
        case .notation: "has an exponent or a base, not only plain digits"
        case .tooLarge: "does not fit into 64 bits"
        case .leadingZero: "has a leading zero"
        case .ambiguous, .separator, .sign, .space, .currencySign, .foreignDigit, .misplacedPoint, .notNumber,
            .unknownCurrency:
            "is not a number of digits with an optional decimal point"
        }
    }
}

/// The application id from Square's developer console, which every request names. It is not secret: each URL contains it.
enum SquareClientID {
    /// The given id, or else the configured one; nil if there is neither. An empty given id is kept, so that it is refused
    /// as by the SDK.
    static func resolve(_ given: String?, in environment: CommandEnvironment) async throws -> SquareText? {
        if let given { return SquareText(given) }
        return try await environment.settings(for: ConnectionChoice()).text(.squareClientID).map { SquareText($0) }
    }
}

/// Records hand-offs to the Square app in the charge journal.
enum SquareJournal {
    /// Records requests in one transaction.
    ///
    /// - Returns: for each request, its id and an older hand-off with the same state that has no response yet.
    static func add(
        _ requests: [(handOff: SquareHandOff, draft: SquareRequestDraft)], in environment: CommandEnvironment
    ) async throws -> [(id: String, rival: ConflictingHandOff?)] {
        guard !requests.isEmpty else { return [] }
        let journal = try await environment.chargeJournal()
        return try await journal.add(requests.map { row($0.handOff, $0.draft) }, now: environment.clock.wall())
    }

    private static func row(_ request: SquareHandOff, _ draft: SquareRequestDraft) -> HandOff {
        var row = HandOff(
            state: draft.state?.string, place: String(request.url.prefix { $0 != "?" && $0 != ";" }),
            body: request.data.written(), location: draft.locationID?.string ?? "")
        guard let amount = draft.amount, let code = draft.currency?.string else { return row }
        do throws(AmountError) {
            row.amount = Money(minorUnits: Int64(amount), currency: try AmountText.currency(code))
        } catch {
            // The SDK sends unknown currency codes as well.
            row.plainAmount = RawAmount(minorUnits: Int64(amount), currencyCode: code)
        }
        return row
    }
}

/// A request for a payment with the Square app, checked by the rules of a profile.
///
/// All its values are set at creation; there is no global state. The fields without checks are those of the draft.
@dynamicMemberLookup
package struct SquareRequest: Sendable {
    package let profile: SquareProfile
    package let platform: SquarePlatform
    package let clientID: SquareText
    package let money: SquareMoney
    /// The callback URL as given, without a mark.
    package let callbackURL: SquareText
    private let draft: SquareRequestDraft
    /// The API version, for iOS.
    package private(set) var apiVersion: SquareText

    /// Checks the draft in the SDK's order: money (currency, list of currencies), application id, amount, callback URL.
    /// Throws the first failure. Malformed input is checked before these, and Android's own limits after them: at least one
    /// tender, and notes of up to 500 UTF-16 units.
    package init(
        _ draft: SquareRequestDraft, profile: SquareProfile, platform: SquarePlatform = .ios
    ) throws(SquareFailure) {
        let rules = SquareRequestRules(draft: draft, profile: profile, platform: platform)
        try rules.checkInput()
        let money = try rules.money()
        clientID = try rules.clientID()
        self.money = try rules.acceptable(money)
        callbackURL = try rules.callbackURL()
        try rules.checkPlatform()
        self.profile = profile
        self.platform = platform
        self.draft = draft
        apiVersion = profile.apiVersion
    }

    package subscript<Value>(dynamicMember field: KeyPath<SquareRequestDraft, Value>) -> Value { draft[keyPath: field] }

    /// The same request with another API version.
    ///
    /// - Returns: nil for an empty version, and for a profile whose SDK has only one version.
    package func withAPIVersion(_ version: SquareText) -> SquareRequest? {
        guard profile.acceptsOtherAPIVersions, !version.isEmpty else { return nil }
        var request = self
        request.apiVersion = version
        return request
    }

    /// Makes the URL for the Square app.
    ///
    /// - Throws: `.unableToGenerateRequestJSON` for a text with an unpaired surrogate.
    package func handOff() throws(SquareFailure) -> SquareHandOff {
        let handOff =
            switch platform {
            case .ios, .iosWeb: SquareHandOff(ios: self)
            case .androidWeb: SquareHandOff(androidWeb: self)
            }
        guard handOff.data.isWritable else {
            throw SquareFailure(.unableToGenerateRequestJSON, profile: profile, platform: platform)
        }
        return handOff
    }
}

extension SquareRequest: Hashable {
    /// Compares like the SDK: everything except the API version, texts exactly, tenders by their mask.
    package static func == (left: SquareRequest, right: SquareRequest) -> Bool {
        left.profile == right.profile && left.platform == right.platform && left.draft == right.draft
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(draft)
    }
}

/// A request as the user gave it, before any check. Nil means not given, which differs from empty text.
package struct SquareRequestDraft: Sendable, Hashable {
    /// A field of an unusable form, such as a number in place of text.
    package struct Fault: Sendable, Hashable {
        /// Nil if the whole line is unusable.
        package let field: SquareRequestField?
        /// The problem for the message, without the value.
        package let reason: String
    }

    /// The application id from Square's developer console.
    package var clientID: SquareText?
    /// In the currency's smallest unit.
    package var amount: Int?
    package var currency: SquareText?
    package var callbackURL: SquareText?
    /// Returned unchanged with the response.
    package var state: SquareText?
    package var notes: SquareText?
    /// The location that must be logged in to the app; SDKs before 3.1 call it merchant id.
    package var locationID: SquareText?
    package var customerID: SquareText?
    package var tenders = SquareTenderSet.all
    package var clearDefaultFees = false
    package var autoReturn = false
    package var disableKeyedIn = false
    package var skipReceipt = false
    /// The page that the browser opens if there is no Square app; for web pages on Android only.
    package var fallbackURL: SquareText?
    /// The faulty fields, which count as not given. If the SDK has an error code for a missing field, the fault is reported
    /// with that code, in the SDK's order; other faults are reported before all checks.
    package var faults: [Fault] = []

    package init() {}

    /// Records that a field has an unusable form.
    ///
    /// - Parameter reason: the problem for the message, without the value.
    package mutating func refuse(_ field: SquareRequestField, _ reason: String) {
        faults.append(Fault(field: field, reason: reason))
    }
}

/// The fields of a request, named by the keys of a request line.
package enum SquareRequestField: String, CaseIterable, Sendable, Hashable {
    case clientID = "clientId"
    case amount
    case currency
    case callbackURL = "callbackUrl"
    case state
    case notes
    case locationID = "locationId"
    case customerID = "customerId"
    case tenders
    case clearDefaultFees
    case autoReturn
    case disableKeyedIn
    case skipReceipt
}

/// The individual checks of a request; ``SquareRequest`` runs them in order.
struct SquareRequestRules {
    /// Maximum length of notes in Android's SDK, in UTF-16 units.
    private static let maximumNoteLengthOnAndroid = 500
    /// Fields for whose absence the SDK has an error code.
    private static let required: Set<SquareRequestField> = [.clientID, .amount, .currency, .callbackURL]

    let draft: SquareRequestDraft
    let profile: SquareProfile
    let platform: SquarePlatform

    func checkInput() throws(SquareFailure) {
        let fault = draft.faults.first { fault in fault.field.map { !Self.required.contains($0) } ?? true }
        guard let fault else { return }
        throw failure(.unknown, message(of: fault))
    }

    /// Nil if no amount was given.
    func money() throws(SquareFailure) -> SquareMoney? {
        guard let amount = draft.amount else { return nil }
        guard let currency = draft.currency else { throw failure(.missingCurrencyCode, fault(of: .currency)) }
        return try SquareMoney(amount: amount, currencyCode: currency, profile: profile)
    }

    func clientID() throws(SquareFailure) -> SquareText {
        guard let clientID = draft.clientID, !clientID.isEmpty else {
            throw failure(.missingRequestClientID, fault(of: .clientID))
        }
        return clientID
    }

    func acceptable(_ money: SquareMoney?) throws(SquareFailure) -> SquareMoney {
        guard let money else { throw failure(.invalidRequestAmount, fault(of: .amount) ?? "the request has no amount") }
        switch platform {
        case .ios, .iosWeb:
            guard money.amount >= profile.minimumAmount else {
                throw failure(
                    .invalidRequestAmount,
                    "the amount is \(money.amount), but the minimum of \(profile.rawValue) is \(profile.minimumAmount)")
            }
        case .androidWeb:
            guard (0...Int(Int32.max)).contains(money.amount) else {
                throw failure(
                    .invalidRequestAmount, "the amount is \(money.amount), but Android accepts 0 to \(Int32.max)")
            }
        }
        return money
    }

    func callbackURL() throws(SquareFailure) -> SquareText {
        guard let callback = draft.callbackURL else {
            throw failure(.invalidRequestCallbackURL, fault(of: .callbackURL) ?? "the request has no callback URL")
        }
        if let byte = URLParts.firstIllegalByte(in: callback.string) {
            let escape = byte < 0x80 ? PercentEncoding.encoded(String(Unicode.Scalar(byte))) : "the %XX of its bytes"
            throw failure(
                .invalidRequestCallbackURL, "the callback URL contains a character that must be written as \(escape)")
        }
        guard URLParts(callback.string).scheme != nil else {
            throw failure(.invalidRequestCallbackURL, "the callback URL has no scheme")
        }
        return callback
    }

    func checkPlatform() throws(SquareFailure) {
        guard platform == .androidWeb else { return }
        if SquareHandOff.androidTenders(draft.tenders, profile: profile).isEmpty {
            throw failure(.unknown, "no tender is allowed, but Android requires at least one")
        }
        if let notes = draft.notes, notes.unitCount > Self.maximumNoteLengthOnAndroid {
            throw failure(
                .unknown, "the notes are \(notes.unitCount) UTF-16 units long, but Android accepts at most 500")
        }
    }

    private func fault(of field: SquareRequestField) -> String? {
        draft.faults.first { $0.field == field }.map(message(of:))
    }

    private func message(of fault: SquareRequestDraft.Fault) -> String {
        fault.field.map { "\($0.rawValue) \(fault.reason)" } ?? fault.reason
    }

    private func failure(_ code: SquareErrorCode, _ message: String?) -> SquareFailure {
        SquareFailure(code, profile: profile, platform: platform, message: message)
    }
}

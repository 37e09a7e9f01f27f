/// A payment that the Square app is asked for, checked by the rules of a profile.
///
/// It takes everything at its creation; nothing global changes it later.
package struct SquareRequest: Sendable {
    package let profile: SquareProfile
    package let platform: SquarePlatform
    package let clientID: SquareText
    package let money: SquareMoney
    /// As it was given, without a mark.
    package let callbackURL: SquareText
    package let state: SquareText?
    package let notes: SquareText?
    package let locationID: SquareText?
    package let customerID: SquareText?
    package let tenders: SquareTenderSet
    package let clearDefaultFees: Bool
    package let autoReturn: Bool
    package let disableKeyedIn: Bool
    package let skipReceipt: Bool
    /// Where the browser goes when there is no Square app; on Android's web only.
    package let fallbackURL: SquareText?
    /// The version of the interface to the app, for iOS.
    package private(set) var apiVersion: SquareText

    /// Checks in the SDK's order: money (currency, list of currencies), application id, amount, callback URL. The first
    /// failure is thrown. Before them come parts that are no input at all, behind them what only Android refuses: no
    /// tender, and notes of more than 500 UTF-16 units.
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
        state = draft.state
        notes = draft.notes
        locationID = draft.locationID
        customerID = draft.customerID
        tenders = draft.tenders
        clearDefaultFees = draft.clearDefaultFees
        autoReturn = draft.autoReturn
        disableKeyedIn = draft.disableKeyedIn
        skipReceipt = draft.skipReceipt
        fallbackURL = draft.fallbackURL
        apiVersion = profile.apiVersion
    }

    /// The same request for another version of the interface.
    ///
    /// - Returns: nil for an empty version, and for a profile whose SDK has only its own.
    package func withAPIVersion(_ version: SquareText) -> SquareRequest? {
        guard profile.takesOtherAPIVersions, !version.isEmpty else { return nil }
        var request = self
        request.apiVersion = version
        return request
    }

    /// What is handed to the Square app.
    ///
    /// - Throws: `.unableToGenerateRequestJSON` for a text that holds half of a surrogate pair.
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
    /// As the SDK compares: everything but the version of the interface, texts exactly, tenders by their mask.
    package static func == (left: SquareRequest, right: SquareRequest) -> Bool {
        left.profile == right.profile && left.platform == right.platform && left.clientID == right.clientID
            && left.money == right.money && left.callbackURL == right.callbackURL && left.state == right.state
            && left.notes == right.notes && left.locationID == right.locationID
            && left.customerID == right.customerID && left.tenders == right.tenders
            && left.clearDefaultFees == right.clearDefaultFees && left.autoReturn == right.autoReturn
            && left.disableKeyedIn == right.disableKeyedIn && left.skipReceipt == right.skipReceipt
            && left.fallbackURL == right.fallbackURL
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(clientID)
        hasher.combine(money)
        hasher.combine(callbackURL)
        hasher.combine([state, notes, locationID, customerID])
        hasher.combine(tenders)
        hasher.combine([clearDefaultFees, autoReturn, disableKeyedIn, skipReceipt])
    }
}

/// Something about a request that is no error, and that one had better know.
package enum SquareNotice: Sendable, Hashable {
    /// The callback has no host and a path without a leading slash: it cannot be marked, and the SDK sends none.
    case callbackLeftOut
    /// The callback was marked before, and is sent with two marks.
    case callbackMarkedBefore
    /// A web page's callback should be the https URL that is registered in Square's console.
    case callbackNotWeb
    case optionLeftOut(SquareRequestField, SquareProfile)
    case optionNotOnAndroid(SquareRequestField)
    case tenderLeftOut(SquareTender, SquareProfile)
    /// The app is asked to allow nothing.
    case noTender
    /// Android has no tender for gift cards alone.
    case giftCardsAllowCards

    /// A sentence without a stop.
    package var message: String {
        switch self {
        case .callbackLeftOut:
            "the callback URL cannot be marked, so none is sent and the app will not return; write it as scheme://path"
        case .callbackMarkedBefore: "the callback URL already has the mark square_request, and gets a second one"
        case .callbackNotWeb: "a web page's callback must be the https URL that is registered in Square's console"
        case .optionLeftOut(let field, let profile): "\(field.rawValue) is unknown to \(profile.rawValue), and not sent"
        case .optionNotOnAndroid(let field): "\(field.rawValue) does not exist on Android, and is not sent"
        case .tenderLeftOut(let tender, let profile):
            "the tender \(tender.word) is unknown to \(profile.rawValue), and not sent"
        case .noTender: "no tender is allowed, so the Square app can take no payment"
        case .giftCardsAllowCards: "Android has no tender for gift cards alone: all cards are allowed"
        }
    }
}

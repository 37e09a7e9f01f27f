/// What a sequence of random numbers is for. Two streams of one seed are unrelated, so a new use never shifts the
/// numbers of an old one; the raw values are part of the shop's bytes and stay as they are.
package enum RandomStream: UInt32, Sendable {
    case shop = 1
    case calendar = 2
    case orderTime = 3
    case order = 4
    case customer = 5
    case employee = 6
    case item = 7
    case fault = 8
    case cut = 9
    case credential = 10
    case device = 11
    case apiKey = 12
    case oauthFault = 13
    case shift = 14
    case cashEvent = 15
    case batch = 16
    case shortPage = 17
    case drift = 18
    case paymentFault = 19
    case churn = 20
    case exportFile = 21
    case exportFault = 22
    case reader = 30
    case readerPayment = 31
}

/// Where a request is opened, which decides the form of its URL.
package enum SquarePlatform: String, CaseIterable, Sendable, Hashable {
    /// An app on iOS opens the URL.
    case ios
    /// A web page on iOS leads to the URL. The callback must be the web callback of Square's console, so it is not
    /// marked.
    case iosWeb = "ios-web"
    /// A web page on Android leads to an `intent:` URL.
    case androidWeb = "android-web"
}

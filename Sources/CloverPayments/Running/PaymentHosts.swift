package import CloverAPI

/// Where the services about money are (Clover: ecommerce API tutorials; REST Pay Display development basics).
package struct PaymentHosts: Sendable, Equatable {
    /// Charges and refunds; nil where the region has no Ecommerce API.
    package let ecommerce: String?
    /// Tokens of cards.
    package let tokens: String?
    /// Devices, through Clover.
    package let connect: String
    /// `/v3/...`.
    package let api: String

    /// A service at an address of the user's own is all of them.
    package init(_ environment: ServiceEnvironment) {
        api = environment.apiBaseURL
        connect = environment.apiBaseURL + "/connect"
        switch environment.name {
        case "us": (ecommerce, tokens) = ("https://scl.clover.com", "https://token.clover.com")
        case "sandbox":
            (ecommerce, tokens) = ("https://scl-sandbox.dev.clover.com", "https://token-sandbox.dev.clover.com")
        case "eu", "la": (ecommerce, tokens) = (nil, nil)
        default: (ecommerce, tokens) = (environment.apiBaseURL, environment.apiBaseURL)
        }
    }
}

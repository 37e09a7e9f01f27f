import CloverSquare

/// A request for a payment with the Square app, as a value. Nothing is sent: open the URL of `handOff()` on the device.
///
/// ```swift
/// var request = SquareRequest(
///     applicationID: "sq0idp-example", amount: 1250, currency: "USD", callbackURL: "my-app://paid")
/// request.notes = "Two coffees"
/// request.state = "order-1017"
/// request.locationID = "LOCATION"
/// request.customerID = "CUSTOMER"
/// request.clearsDefaultFees = true
/// request.returnsAutomatically = true
/// request.forbidsKeyedIn = true
/// request.skipsReceipt = true
/// let handOff = try request.handOff(for: .ios)
/// print(request.amount.text(in: request.currency), handOff.url, handOff.notices)
/// ```
public struct SquareRequest: Sendable, Hashable {
    /// The application id from Square's developer console.
    public var applicationID: String
    /// The amount in the smallest unit of the currency.
    public var amount: Money
    /// ISO 4217 code in capitals, such as `USD`.
    public var currency: String
    /// The URL that the Square app opens with its response.
    public var callbackURL: String
    /// Text that the response repeats, such as the id of your order.
    public var state: String?
    /// A note on the payment.
    public var notes: String?
    /// The location that must be logged in to the Square app; nil for any.
    public var locationID: String?
    /// The Square customer of the payment.
    public var customerID: String?
    /// The ways to pay that are allowed; nil for all that the rules know.
    public var tenders: Set<Tender>?
    /// Removes the fees and taxes that are added by default.
    public var clearsDefaultFees = false
    /// Returns to the caller without a tap.
    public var returnsAutomatically = false
    /// Forbids typed card numbers.
    public var forbidsKeyedIn = false
    /// Asks for no receipt.
    public var skipsReceipt = false
    /// The page for devices without the Square app; for web pages on Android only.
    public var fallbackURL: String?

    /// A request that allows all ways to pay.
    ///
    /// - Parameters:
    ///   - applicationID: the application id from Square's developer console.
    ///   - amount: the amount in the smallest unit of the currency.
    ///   - currency: ISO 4217 code in capitals, such as `USD`.
    ///   - callbackURL: the URL that the Square app opens with its response; for web pages, the one registered with Square.
    public init(applicationID: String, amount: Money, currency: String, callbackURL: String) {
        self.applicationID = applicationID
        self.amount = amount
        self.currency = currency
        self.callbackURL = callbackURL
    }

    /// A way to pay.
    ///
    /// ```swift
    /// var request = SquareRequest(
    ///     applicationID: "sq0idp-example", amount: 1250, currency: "USD", callbackURL: "my-app://paid")
    /// request.tenders = [.card, .cash, .other, .squareGiftCard, .cardOnFile]
    /// // In Japan: request.tenders = [.payPay]
    /// print(try request.handOff().url)
    /// ```
    public enum Tender: Sendable, Hashable, CaseIterable {
        /// A card.
        case card
        /// Cash.
        case cash
        /// Checks, vouchers and the like.
        case other
        /// A gift card of Square.
        case squareGiftCard
        /// A card that the customer has stored.
        case cardOnFile
        /// PayPay, in Japan.
        case payPay
    }

    /// What opens the URL, which decides its form.
    ///
    /// ```swift
    /// let request = SquareRequest(
    ///     applicationID: "sq0idp-example", amount: 1250, currency: "USD", callbackURL: "https://example.com/paid")
    /// for platform: SquareRequest.Platform in [.ios, .iosWeb, .androidWeb] {
    ///     print(try request.handOff(for: platform).url)
    /// }
    /// ```
    public enum Platform: Sendable, Hashable, CaseIterable {
        /// An app on iOS.
        case ios
        /// A web page on iOS.
        case iosWeb
        /// A web page on Android.
        case androidWeb
    }

    /// The Square SDK whose rules apply.
    ///
    /// ```swift
    /// let request = SquareRequest(
    ///     applicationID: "sq0idp-example", amount: 1250, currency: "USD", callbackURL: "my-app://paid")
    /// let old = try request.handOff(rules: .register21)
    /// let new = try request.handOff(rules: .pointOfSale354)
    /// print(old.url == new.url)
    /// ```
    public enum Rules: Sendable, Hashable, CaseIterable {
        /// Register SDK 2.1 of 2016: USD, CAD, JPY and AUD only.
        case register21
        /// Point of Sale SDK 3.5.4 of 2023, the newest.
        case pointOfSale354
    }

    /// A request as a URL for the Square app.
    public struct HandOff: Sendable, Hashable {
        /// The URL to open, or to link to.
        public let url: String
        /// Parts of the request that the URL does not carry, or carries in an unexpected way: a sentence each.
        public let notices: [String]
    }

    /// Checks the request and writes its URL.
    ///
    /// - Parameters:
    ///   - platform: what opens the URL.
    ///   - rules: the SDK whose rules apply.
    ///
    /// ```swift
    /// var request = SquareRequest(
    ///     applicationID: "sq0idp-example", amount: 1250, currency: "USD", callbackURL: "https://example.com/paid")
    /// request.fallbackURL = "https://example.com/no-app"
    /// let handOff = try request.handOff(for: .androidWeb)
    /// print(handOff.url, handOff.notices)
    /// print(request.applicationID, request.callbackURL)
    /// ```
    ///
    /// - Throws: `SquareError`, the first that the SDK finds, in its order.
    public func handOff(
        for platform: Platform = .ios, rules: Rules = .pointOfSale354
    ) throws(SquareError) -> HandOff {
        guard let units = Int(exactly: amount.minorUnits) else {
            throw SquareError(
                SquareFailure(.invalidRequestAmount, profile: rules.profile, platform: platform.squarePlatform))
        }
        var draft = SquareRequestDraft()
        draft.clientID = SquareText(applicationID)
        draft.amount = units
        draft.currency = SquareText(currency)
        draft.callbackURL = SquareText(callbackURL)
        draft.state = state.map { SquareText($0) }
        draft.notes = notes.map { SquareText($0) }
        draft.locationID = locationID.map { SquareText($0) }
        draft.customerID = customerID.map { SquareText($0) }
        draft.tenders = tenders.map { SquareTenderSet($0.map(\.squareTender)) } ?? .all
        draft.clearDefaultFees = clearsDefaultFees
        draft.autoReturn = returnsAutomatically
        draft.disableKeyedIn = forbidsKeyedIn
        draft.skipReceipt = skipsReceipt
        draft.fallbackURL = fallbackURL.map { SquareText($0) }
        do throws(SquareFailure) {
            let checked = try CloverSquare.SquareRequest(
                draft, profile: rules.profile, platform: platform.squarePlatform)
            let handOff = try checked.handOff()
            return HandOff(url: handOff.url, notices: handOff.notices.map(\.message))
        } catch {
            throw SquareError(error)
        }
    }
}

extension SquareRequest.Tender {
    fileprivate var squareTender: SquareTender {
        switch self {
        case .card: .card
        case .cash: .cash
        case .other: .other
        case .squareGiftCard: .squareGiftCard
        case .cardOnFile: .cardOnFile
        case .payPay: .payPay
        }
    }
}

extension SquareRequest.Platform {
    var squarePlatform: SquarePlatform {
        switch self {
        case .ios: .ios
        case .iosWeb: .iosWeb
        case .androidWeb: .androidWeb
        }
    }
}

extension SquareRequest.Rules {
    var profile: SquareProfile {
        switch self {
        case .register21: .register21
        case .pointOfSale354: .pointOfSale354
        }
    }
}

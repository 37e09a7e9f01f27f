/// A payment method that a request may allow.
package enum SquareTender: UInt, CaseIterable, Sendable, Hashable {
    // The raw values are the bits of the SDK's mask.
    case card = 1
    case cash = 2
    case other = 4
    case squareGiftCard = 8
    case cardOnFile = 16
    /// Since 3.5.4.
    case payPay = 32

    /// The name in the request's JSON.
    package var wireName: SquareText {
        switch self {
        case .card: "CREDIT_CARD"
        case .cash: "CASH"
        case .other: "OTHER"
        case .squareGiftCard: "SQUARE_GIFT_CARD"
        case .cardOnFile: "CARD_ON_FILE"
        case .payPay: "PAYPAY"
        }
    }

    /// The name on the command line.
    package var word: String {
        switch self {
        case .card: "card"
        case .cash: "cash"
        case .other: "other"
        case .squareGiftCard: "gift"
        case .cardOnFile: "card-on-file"
        case .payPay: "paypay"
        }
    }
}

/// The tenders of a request, as the SDK's bit mask. Bits without a tender are kept and compared, but not written.
package struct SquareTenderSet: OptionSet, Sendable, Hashable {
    package let rawValue: UInt

    package init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    package init(_ tenders: some Sequence<SquareTender>) {
        self.init(rawValue: tenders.reduce(0) { $0 | $1.rawValue })
    }

    /// All bits, including those without a tender. Not equal to the set of all tenders, although both write the same names.
    package static let all = SquareTenderSet(rawValue: .max)

    /// Parses the command line's names: `all`, or names such as `card,cash` in any order; an empty text is no tender. A name
    /// that only the newest SDK has is accepted under each profile, as its bit is by the SDK.
    ///
    /// - Throws: `.unknown` with the unknown name and the profile's names; `.allAmongOthers`.
    package init(words: String, profile: SquareProfile) throws(SquareTenderError) {
        if words == "all" {
            self = .all
            return
        }
        if words.isEmpty {
            self = []
            return
        }
        var tenders: [SquareTender] = []
        for word in words.split(separator: ",", omittingEmptySubsequences: false) {
            if word == "all" { throw .allAmongOthers }
            guard let tender = SquareTender.allCases.first(where: { $0.word == word }) else {
                throw .unknown(String(word), known: profile.tenders.map(\.word) + ["all"])
            }
            tenders.append(tender)
        }
        self.init(tenders)
    }

    package func contains(_ tender: SquareTender) -> Bool { rawValue & tender.rawValue != 0 }

    /// The tenders that the profile knows, in wire order.
    package func tenders(known profile: SquareProfile) -> [SquareTender] {
        profile.tenders.filter { contains($0) }
    }
}

/// An error in the tenders on the command line.
package enum SquareTenderError: Error, Equatable, Sendable {
    case unknown(String, known: [String])
    /// `all` together with other names, which may have been meant alone.
    case allAmongOthers
}

/// The tenders of a request: the SDK's bit mask. Bits without a tender are kept and compared, and write nothing.
package struct SquareTenderSet: OptionSet, Sendable, Hashable {
    package let rawValue: UInt

    package init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    package init(_ tenders: some Sequence<SquareTender>) {
        self.init(rawValue: tenders.reduce(0) { $0 | $1.rawValue })
    }

    /// Every bit, also those without a tender: it is not equal to the sum of all tenders, though the same names are
    /// written for both.
    package static let all = SquareTenderSet(rawValue: .max)

    /// Reads the words of the command line: `all`, or `card,cash` in any order; nothing is no tender. A word that only the
    /// newest SDK has is taken under every profile, as its bit is in the SDK.
    ///
    /// - Throws: `.unknown` with a word that is no tender, and those that a profile has; `.allAmongOthers`.
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

    /// The tenders that a profile has names for, in the order of the wire.
    package func tenders(known profile: SquareProfile) -> [SquareTender] {
        profile.tenders.filter { contains($0) }
    }
}

/// What is wrong with tenders on the command line.
package enum SquareTenderError: Error, Equatable, Sendable {
    case unknown(String, known: [String])
    /// Whoever names others beside `all` may have meant those alone.
    case allAmongOthers
}

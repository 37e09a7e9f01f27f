package struct CardNumber: Sendable {
    private let digits: [UInt8]

    /// Fails for anything but 12 to 19 digits (ISO/IEC 7812-1).
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard (12...19).contains(bytes.count), bytes.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        digits = bytes.map { $0 - 0x30 }
    }

    /// Whether the check digit is right (Luhn, ISO/IEC 7812-1 annex B).
    package var isConsistent: Bool {
        let sum = digits.reversed().enumerated().reduce(0) { sum, digit in
            let value = Int(digit.element) * (digit.offset % 2 + 1)
            return sum + value / 10 + value % 10
        }
        return sum % 10 == 0
    }

    package var first6: String { digits.prefix(6).map(String.init).joined() }
    package var last4: String { digits.suffix(4).map(String.init).joined() }

    /// The card type by the issuer's range, as a value of the V3 enumeration.
    package var brand: String {
        let four = digits.prefix(4).reduce(0) { $0 * 10 + Int($1) }
        return switch four {
        case 4000...4999: "VISA"
        case 5100...5599, 2221...2720: "MC"
        case 3400...3499, 3700...3799: "AMEX"
        case 3000...3059, 3600...3699, 3800...3999: "DINERS_CLUB"
        case 3528...3589: "JCB"
        case 6011, 6440...6499, 6500...6599: "DISCOVER"
        default: "UNKNOWN"
        }
    }

    /// Valid lengths of the security code: test cards accept any three digits, and American Express prints four.
    package var codeLengths: ClosedRange<Int> { brand == "AMEX" ? 3...4 : 3...3 }

    /// The issuer's response (Clover documentation, test card numbers; the last three declines are from an older list).
    package var behaviour: CardBehaviour {
        switch digits.map(String.init).joined() {
        case "4005578003333335": .partial
        case "4005571702222222", "375987654000004", "5424180273333333", "4264281511117771": .decline
        default: .approve
        }
    }
}

package enum CardBehaviour: String, Sendable, CaseIterable {
    case approve
    case decline
    /// Half of the amount is approved.
    case partial
    /// Approved, and flagged as a possible duplicate.
    case duplicate
    /// Approved with a signature.
    case signature
    /// Approved offline by the device.
    case offline
    case cancel
}

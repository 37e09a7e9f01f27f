/// A Clover id: 13 upper-case letters and digits (Clover REST documentation, data types).
///
/// It is held as a 64-bit number; 36^13 is larger than 2^64, so every number has a distinct text.
package struct Identifier: Sendable, Hashable, CustomStringConvertible {
    package static let length = 13
    private static let twelveDigits: UInt64 = 4_738_381_338_321_616_896  // 36^12

    package let number: UInt64

    package init(number: UInt64) {
        self.number = number
    }

    /// Parses an id; fails for anything but 13 upper-case letters and digits that encode a number.
    package init?(_ text: some StringProtocol) {
        func isDigit(_ byte: UInt8) -> Bool {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        }
        guard text.utf8.count == Self.length, text.utf8.allSatisfy(isDigit),
            let leading = UInt64(text.prefix(1), radix: 36), let rest = UInt64(text.dropFirst(), radix: 36)
        else { return nil }
        let quotient = (leading + 36 - Self.rotation(of: rest)) % 36
        let (high, overflow) = quotient.multipliedReportingOverflow(by: Self.twelveDigits)
        let (number, carry) = high.addingReportingOverflow(rest)
        guard !overflow, !carry else { return nil }
        self.number = number
    }

    package var description: String {
        let (leading, rest) = number.quotientAndRemainder(dividingBy: Self.twelveDigits)
        return String(unsafeUninitializedCapacity: Self.length) { buffer in
            var left = rest
            for position in (1..<Self.length).reversed() {
                let (quotient, digit) = left.quotientAndRemainder(dividingBy: 36)
                buffer[position] = Self.character(digit)
                left = quotient
            }
            buffer[0] = Self.character((leading + Self.rotation(of: rest)) % 36)
            return Self.length
        }
    }

    /// Spreads the first character. Without it there would be only four, because 2^64 is barely four times 36^12.
    private static func rotation(of rest: UInt64) -> UInt64 {
        ((rest &* 0x9E37_79B9_7F4A_7C15) >> 40) % 36
    }

    private static func character(_ digit: UInt64) -> UInt8 {
        UInt8(digit) + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "A") - 10)
    }
}

extension FixedWidthInteger {
    /// The digits of a number that is not negative, padded with zeros to a width.
    func digits(_ width: Int, radix: Int = 10, uppercase: Bool = false) -> String {
        let text = String(self, radix: radix, uppercase: uppercase)
        return String(repeating: "0", count: Swift.max(0, width - text.count)) + text
    }
}

/// Computes ids from a record's kind and index, and the index from the id, so that no table of ids is needed.
///
/// The kind (8 bits) and the index (56 bits) form one 64-bit number, which two keyed bijective mixes scramble. A
/// bijection cannot give two records the same id.
package struct IdentifierScheme: Sendable {
    private let before: UInt64
    private let after: UInt64

    package init(seed: UInt64) {
        before = SeededRandom.mix(seed ^ 0xA076_1D64_78BD_642F)
        after = SeededRandom.mix(seed ^ 0xE703_7ED1_A0B4_28DB)
    }

    /// The id of a record. `place` is below 2^56.
    package func identifier(_ kind: RecordKind, _ place: Int) -> Identifier {
        let plain = UInt64(kind.rawValue) << 56 | UInt64(place)
        return Identifier(number: SeededRandom.mix(plain ^ before) ^ after)
    }

    /// The index of the record of this kind with this id; nil when the text is not an id of this kind. The caller
    /// checks that such a record exists.
    package func place(of text: some StringProtocol, kind: RecordKind) -> Int? {
        guard let identifier = Identifier(text) else { return nil }
        let plain = Self.unmix(identifier.number ^ after) ^ before
        guard UInt8(plain >> 56) == kind.rawValue else { return nil }
        return Int(plain & 0x00FF_FFFF_FFFF_FFFF)
    }

    /// The inverse of `SeededRandom.mix`: each xor-shift is undone by repeating it, each factor by its inverse mod
    /// 2^64.
    private static func unmix(_ value: UInt64) -> UInt64 {
        var plain = value
        plain ^= (plain >> 31) ^ (plain >> 62)
        plain = plain &* 0x3196_42B2_D24D_8EC3
        plain ^= (plain >> 27) ^ (plain >> 54)
        plain = plain &* 0x96DE_1B17_3F11_9089
        plain ^= (plain >> 30) ^ (plain >> 60)
        return plain
    }
}

/// The kinds of objects that have an id. The raw value is mixed into the id, so ids of different kinds never collide.
package enum RecordKind: UInt8, Sendable, CaseIterable {
    case merchant = 1
    // Numbered consecutively up to `reseller`, 53; add new kinds at the end.
    case application, order, lineItem, modification, discount, payment, refund, item, category, modifierGroup
    case modifier, taxRate, tender, orderType, customer, emailAddress, phoneNumber, address, employee, role
    case catalogueDiscount, tag, openingHours, tipSuggestion, paymentTax, cardReference, shift, cashEvent, itemGroup
    case attribute, option, credit, creditRefund, authorization, voidedLine, orderFee, orderFeeLine, systemOrderType
    case printer, employeeCard, taxRule, batch, card, serviceCharge, lineItemPayment, fulfilment, additionalCharge
    case attributeOfPayment, meteredEvent, account, merchantPlan, reseller
    /// Records written by clients.
    case written = 54
    /// Rows that drift inserts while a client pages.
    case drift = 55
    /// Records that were deleted before the first write.
    case deleted = 56
    /// Charges, payments by device, their orders and refunds.
    case money = 57
    case export = 58
}

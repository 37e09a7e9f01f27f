/// Reads instants such as `2026-01-31T23:00:00Z` (RFC 3339).
package enum InstantText {
    /// Milliseconds since 1970; nil when the text is no instant. Seconds may have up to three decimals; the offset is
    /// `Z` or `+hh:mm`.
    package static func milliseconds(_ text: String) -> Int? {
        let bytes = Array(text.utf8)
        func number(_ range: Range<Int>) -> Int? {
            guard range.upperBound <= bytes.count else { return nil }
            var value = 0
            for byte in bytes[range] {
                guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
                value = value * 10 + Int(byte - UInt8(ascii: "0"))
            }
            return value
        }
        func has(_ character: Character, at place: Int) -> Bool {
            place < bytes.count && bytes[place] == character.asciiValue
        }
        guard let year = number(0..<4), has("-", at: 4), let month = number(5..<7), has("-", at: 7),
            let day = number(8..<10), has("T", at: 10), let hour = number(11..<13), has(":", at: 13),
            let minute = number(14..<16), has(":", at: 16), let second = number(17..<19),
            (1...12).contains(month), (1...CivilDate.days(inMonth: month, year: year)).contains(day), hour < 24,
            minute < 60, second < 60
        else { return nil }
        var place = 19
        var thousandths = 0
        if has(".", at: place) {
            var scale = 100
            place += 1
            let begin = place
            while let digit = number(place..<(place + 1)) {
                thousandths += digit * scale
                scale /= 10
                place += 1
            }
            guard place > begin, place - begin <= 3 else { return nil }
        }
        var offset = 0
        if has("Z", at: place) {
            place += 1
        } else {
            guard has("+", at: place) || has("-", at: place), let hours = number((place + 1)..<(place + 3)),
                has(":", at: place + 3), let minutes = number((place + 4)..<(place + 6)), hours < 24, minutes < 60
            else { return nil }
            offset = (hours * 60 + minutes) * (has("-", at: place) ? -1 : 1)
            place += 6
        }
        guard place == bytes.count else { return nil }
        let days = CivilDate(year: year, month: month, day: day).dayNumber
        return ((days * 24 + hour) * 60 + minute - offset) * 60_000 + second * 1000 + thousandths
    }
}

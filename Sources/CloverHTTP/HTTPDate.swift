/// Dates in header fields, in the three forms that are to be understood (RFC 9110, section 5.6.7):
/// `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`. The name of the day is
/// not judged.
package enum HTTPDate {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    /// What is written for the one zone that there is.
    private static let zones = ["GMT", "UTC", "Z", "+0000", "-0000", "+00:00"]

    /// Seconds since 1970 UTC; nil for any other form.
    package static func seconds(_ text: String) -> Int64? {
        let words = text.split(whereSeparator: { $0 == " " || $0 == "\t" })
        switch words.count {
        case 6:
            guard words[0].hasSuffix(","), zones.contains(String(words[5])), words[3].utf8.count == 4 else {
                return nil
            }
            return seconds(day: words[1], month: words[2], year: words[3], clock: words[4])
        case 4:
            let date = words[1].split(separator: "-", omittingEmptySubsequences: false)
            guard words[0].hasSuffix(","), zones.contains(String(words[3])), date.count == 3 else { return nil }
            return seconds(day: date[0], month: date[1], year: date[2], clock: words[2])
        case 5:
            guard words[4].utf8.count == 4 else { return nil }
            return seconds(day: words[2], month: words[1], year: words[4], clock: words[3])
        default: return nil
        }
    }

    private static func seconds(day: Substring, month: Substring, year: Substring, clock: Substring) -> Int64? {
        guard let day = number(day), let month = months.firstIndex(of: String(month)), let year = self.year(year)
        else { return nil }
        let clock = clock.split(separator: ":", omittingEmptySubsequences: false)
        guard clock.count == 3, let hour = number(clock[0]), let minute = number(clock[1]),
            let second = number(clock[2]), (1...31).contains(day), hour < 24, minute < 60, second <= 60
        else { return nil }
        return days(year: year, month: Int64(month) + 1, day: day) * 86_400 + hour * 3600 + minute * 60 + second
    }

    /// One or two digits.
    private static func number(_ text: Substring) -> Int64? {
        guard (1...2).contains(text.utf8.count), isDigits(text) else { return nil }
        return Int64(text)
    }

    /// Of two digits those of this century, and from 70 on those of the last one.
    private static func year(_ text: Substring) -> Int64? {
        guard isDigits(text), let year = Int64(text) else { return nil }
        switch text.utf8.count {
        case 4: return year
        case 2: return year < 70 ? 2000 + year : 1900 + year
        default: return nil
        }
    }

    private static func isDigits(_ text: Substring) -> Bool { text.utf8.allSatisfy { (0x30...0x39).contains($0) } }

    /// Days from 1970-01-01 in the Gregorian calendar. Years are counted from March, so that the leap day is the last.
    private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let monthFromMarch = (month + 9) % 12
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        let leapDays = year / 4 - year / 100 + year / 400
        // 719,468 days lie between 0000-03-01 and 1970-01-01.
        return 365 * year + leapDays + dayOfYear - 719_468
    }
}

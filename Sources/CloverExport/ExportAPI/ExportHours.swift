import FoundationEssentials

/// The hours at which the service accepts exports, parsed from the message of a refusal:
/// `MON-FRI 01:00-05:00, SAT 02:00-05:00` in UTC (Clover: exporting merchant data).
package struct ExportHours: Sendable, Equatable {
    /// Hours on some days of the week.
    struct Span: Sendable, Equatable {
        /// 0 for Sunday to 6 for Saturday; the first is after the last where the span crosses the end of the week.
        var firstDay: Int
        var lastDay: Int
        /// Minutes since midnight. The end is not included, and is not after the start where the span crosses midnight.
        var start: Int
        var end: Int
    }

    private static let names = ["SUNDAY", "MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY"]
    private static let day: Int64 = 86_400_000

    let spans: [Span]

    /// Nil when the text has no hours. Other words and the order do not matter.
    package init?(in text: String) {
        var spans: [Span] = []
        var days: [(first: Int, last: Int)] = []
        var haveHours = false
        let isSeparator: (Character) -> Bool = { !$0.isLetter && !$0.isNumber && $0 != ":" && $0 != "-" && $0 != "–" }
        for word in text.uppercased().split(whereSeparator: isSeparator) {
            let halves = word.split { $0 == "-" || $0 == "–" }
            guard let first = halves.first, let last = halves.last, halves.count <= 2 else { continue }
            if let start = Self.weekday(first), let end = Self.weekday(last) {
                if haveHours { days = [] }
                haveHours = false
                days.append((start, end))
            } else if first == "DAILY" {
                days = [(0, 6)]
            } else if halves.count == 2, let start = Self.minutes(first), let end = Self.minutes(last) {
                haveHours = true
                // Hours without days apply to every day.
                spans += (days.isEmpty ? [(0, 6)] : days).map {
                    Span(firstDay: $0.first, lastDay: $0.last, start: start, end: end)
                }
            }
        }
        guard !spans.isEmpty else { return nil }
        self.spans = spans
    }

    /// The first time at or after `now` at which exports are accepted, in milliseconds since 1970.
    package func opening(from now: Int64) -> Int64 {
        let midnight = now - now % Self.day
        // From the previous day, whose hours may cross midnight, to the same day next week.
        let openings = (-1...7).flatMap { offset -> [Int64] in
            let start = midnight + Int64(offset) * Self.day
            let weekday = Int((start / Self.day + 4) % 7)
            return spans.filter { $0.has(weekday) }.compactMap { span -> Int64? in
                let length = span.end > span.start ? span.end - span.start : span.end - span.start + 24 * 60
                let begin = start + Int64(span.start) * 60_000
                return begin + Int64(length) * 60_000 > now ? max(begin, now) : nil
            }
        }
        return openings.min() ?? now
    }

    /// Parses `MON`, `MONDAY` and any abbreviation between them.
    private static func weekday(_ text: Substring) -> Int? {
        text.count < 3 ? nil : names.firstIndex { $0.hasPrefix(text) }
    }

    private static func minutes(_ text: Substring) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
        guard (1...2).contains(parts.count), let hour = parts[0], (0...24).contains(hour) else { return nil }
        guard parts.count == 2 else { return nil }
        guard let minute = parts[1], (0..<60).contains(minute), hour < 24 || minute == 0 else { return nil }
        return hour * 60 + minute
    }
}

extension ExportHours.Span {
    fileprivate func has(_ weekday: Int) -> Bool {
        firstDay <= lastDay ? (firstDay...lastDay).contains(weekday) : weekday >= firstDay || weekday <= lastDay
    }
}

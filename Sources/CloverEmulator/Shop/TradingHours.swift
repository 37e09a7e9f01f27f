/// When the café is open, and how a day's orders spread over the open hours.
package enum TradingHours {
    /// Opening and closing time in minutes after midnight; the weekday counts from Sunday = 0.
    package static func minutes(onWeekday weekday: Int) -> (open: Int, close: Int) {
        let isWeekend = weekday == 0 || weekday == 6
        return isWeekend ? (open: 450, close: 1080) : (open: 390, close: 1140)
    }

    /// How busy a weekday is; 1 is the average.
    package static func weight(ofWeekday weekday: Int) -> Double {
        [1.15, 0.75, 0.85, 0.9, 0.95, 1.1, 1.3][weekday]
    }

    /// Shares of twelve equal parts of the open time: a morning rush and lunch on weekdays, a long brunch at weekends.
    private static let workday: [Double] = [7, 13, 14, 8, 6, 9, 13, 9, 6, 6, 6, 3]
    private static let weekend: [Double] = [3, 6, 10, 13, 14, 13, 11, 9, 8, 6, 4, 3]

    /// The part of the open time (0 to 1) by which `share` (0 to 1) of the day's orders have come.
    package static func elapsed(whenShare share: Double, onWeekday weekday: Int) -> Double {
        let curve = weekday == 0 || weekday == 6 ? weekend : workday
        var left = share * 100
        for (position, weight) in curve.enumerated() {
            if left < weight { return (Double(position) + left / weight) / Double(curve.count) }
            left -= weight
        }
        return 1
    }

    /// The share of a day's orders that have come when a part of the open time has gone by: the inverse of `elapsed`.
    package static func share(whenElapsed elapsed: Double, onWeekday weekday: Int) -> Double {
        let curve = weekday == 0 || weekday == 6 ? weekend : workday
        let position = min(max(elapsed, 0), 1) * Double(curve.count)
        let whole = min(Int(position), curve.count - 1)
        let before = curve[..<whole].reduce(0, +)
        return (before + curve[whole] * (position - Double(whole))) / 100
    }
}

/// Which order came when. Orders are numbered from 0, the oldest; their times grow strictly with the number and fall
/// into the trading hours of the shop's time zone.
///
/// Only the orders per day are stored; the instant of one order is computed, so 100,000 orders cost nothing at start.
package struct OrderCalendar: Sendable {
    /// The newest order is at least this old, so that its payments and changes lie in the past too.
    private static let quietMinutes = 45
    /// About this many orders a day make 5,000 orders span more than the 90 days of the service's history rule.
    private static let ordersPerDay = 45
    /// A longer history makes the shop busier instead of older.
    private static let longestHistory = 1460

    /// Number of orders.
    package let count: Int
    private let seed: UInt64
    private let firstDay: Int
    /// `before[d]` orders came before day `d`; one entry more than there are days.
    private let before: [Int]
    private let lastDayShare: Double

    /// - Parameters:
    ///   - now: the instant at which the history ends, in milliseconds since 1970.
    ///   - days: how many days it has; nil for as many as the orders need.
    package init(seed: UInt64, count: Int, now: Int, days: Int? = nil) {
        self.count = count
        self.seed = seed
        let days = days ?? min(max(count / Self.ordersPerDay, 1), Self.longestHistory)
        let local = ShopTimeZone.local(now)
        let weekday = CivilDate.weekday(ofDayNumber: local.dayNumber)
        let hours = TradingHours.minutes(onWeekday: weekday)
        let latest = local.millisecondOfDay / 60_000 - Self.quietMinutes
        let elapsed = Double(latest - hours.open) / Double(hours.close - hours.open)
        let hasBegun = elapsed > 0.02
        let lastDay = hasBegun ? local.dayNumber : local.dayNumber - 1
        lastDayShare = hasBegun ? TradingHours.share(whenElapsed: elapsed, onWeekday: weekday) : 1
        firstDay = lastDay - days + 1

        var random = SeededRandom(seed: seed, stream: .calendar, index: 0)
        var sums: [Double] = []
        var sum = 0.0
        for day in firstDay...lastDay {
            let weight = TradingHours.weight(ofWeekday: CivilDate.weekday(ofDayNumber: day))
            sum += weight * (0.8 + 0.4 * random.fraction()) * (day == lastDay ? lastDayShare : 1)
            sums.append(sum)
        }
        before = [0] + sums.map { Int(Double(count) * $0 / sum + 0.000_001) }
    }

    /// The trading days, counted from 1970.
    package var days: ClosedRange<Int> { firstDay...(firstDay + before.count - 2) }

    /// Midnight before the first trading day, in milliseconds since 1970.
    package var start: Int { ShopTimeZone.startOfDay(firstDay) }

    /// The local day (days since 1970) of an order.
    package func dayNumber(of order: Int) -> Int {
        firstDay + day(of: order)
    }

    /// The creation time of an order in milliseconds since 1970.
    package func time(of order: Int) -> Int {
        let day = day(of: order)
        let weekday = CivilDate.weekday(ofDayNumber: firstDay + day)
        let hours = TradingHours.minutes(onWeekday: weekday)
        let orders = before[day + 1] - before[day]
        var random = SeededRandom(seed: seed, stream: .orderTime, index: order)
        // One order in each n-th part of the day's curve: sorted by construction, never two at the same instant.
        var share = (Double(order - before[day]) + 0.02 + 0.96 * random.fraction()) / Double(orders)
        if day == before.count - 2 { share *= lastDayShare }
        let elapsed = TradingHours.elapsed(whenShare: share, onWeekday: weekday)
        let open = Double((hours.close - hours.open) * 60_000)
        return ShopTimeZone.startOfDay(firstDay + day) + hours.open * 60_000 + Int(elapsed * open)
    }

    /// The number of the first order created at or after an instant; `count` when there is none.
    package func firstOrder(from milliseconds: Int) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if time(of: middle) < milliseconds { low = middle + 1 } else { high = middle }
        }
        return low
    }

    @inline(__always)
    private func day(of order: Int) -> Int {
        var low = 0
        var high = before.count - 1
        while high - low > 1 {
            let middle = (low + high) / 2
            if before[middle] <= order { low = middle } else { high = middle }
        }
        return low
    }
}

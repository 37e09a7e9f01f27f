import CloverEmulator
import Testing

@Suite("Calendar")
struct OrderCalendarTests {
    @Test("Dates and day numbers are inverse over 400 years")
    func civilDates() {
        for day in stride(from: -60_000, through: 90_000, by: 7) {
            #expect(CivilDate(dayNumber: day).dayNumber == day)
        }
        #expect(CivilDate(year: 2026, month: 1, day: 31).dayNumber * 86_400 == 1_769_817_600)
        #expect(CivilDate.weekday(ofDayNumber: CivilDate(year: 2026, month: 1, day: 31).dayNumber) == 6)
        #expect(CivilDate(dayNumber: 19_782) == CivilDate(year: 2024, month: 2, day: 29))
    }

    @Test(
        "The shop's midnight follows daylight saving time",
        arguments: [
            // 2025-03-08 is the last standard day of that spring, 2025-11-01 the last of the summer time.
            (2025, 3, 8, 5), (2025, 3, 9, 4), (2025, 7, 4, 4), (2025, 11, 1, 4), (2025, 11, 2, 5), (2026, 1, 31, 5),
        ])
    func offsets(year: Int, month: Int, day: Int, hours: Int) {
        let number = CivilDate(year: year, month: month, day: day).dayNumber
        #expect(ShopTimeZone.startOfDay(number) == number * 86_400_000 + hours * 3_600_000)
        let noon = ShopTimeZone.startOfDay(number) + 43_200_000
        #expect(ShopTimeZone.local(noon).dayNumber == number)
        #expect(ShopTimeZone.local(noon).millisecondOfDay == 43_200_000)
    }

    @Test(
        "Orders lie in trading hours, in order, and before now",
        arguments: [
            ShopSettings.defaultNow,  // closing time on a Saturday
            1_769_900_400_000 - 6 * 3_600_000,  // noon
            1_769_900_400_000 + 6 * 3_600_000,  // midnight
            1_769_900_400_000 - 13 * 3_600_000,  // before opening
            1_752_000_000_000,  // summer
        ])
    func tradingHours(now: Int) {
        let calendar = OrderCalendar(seed: 3, count: 2000, now: now)
        var last = 0
        for order in 0..<calendar.count {
            let time = calendar.time(of: order)
            #expect(time > last)
            last = time
            let local = ShopTimeZone.local(time)
            let hours = TradingHours.minutes(onWeekday: CivilDate.weekday(ofDayNumber: local.dayNumber))
            #expect(local.millisecondOfDay >= hours.open * 60_000)
            #expect(local.millisecondOfDay <= hours.close * 60_000)
            #expect(local.dayNumber == calendar.dayNumber(of: order))
        }
        #expect(last <= now - 45 * 60_000)
        #expect(last > now - 2 * 86_400_000)
    }

    @Test("The default history is longer than the 90 days of the history rule, and growth stops at four years")
    func length() {
        let usual = OrderCalendar(seed: 1, count: 5000, now: ShopSettings.defaultNow)
        #expect(ShopSettings.defaultNow - usual.time(of: 0) > 100 * 86_400_000)
        let large = OrderCalendar(seed: 1, count: 1_000_000, now: ShopSettings.defaultNow)
        #expect(ShopSettings.defaultNow - large.start < 1470 * 86_400_000)
    }

    @Test("A history has the requested days, with fewer or more orders than days", arguments: [100, 3000])
    func days(orders: Int) {
        let calendar = OrderCalendar(seed: 1, count: orders, now: ShopSettings.defaultNow, days: 1826)
        #expect(calendar.days.count == 1826)
        let times = (0..<orders).map { calendar.time(of: $0) }
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        let span = (times[orders - 1] - times[0]) / 86_400_000
        #expect((1780...1826).contains(span), "\(span)")
    }
}

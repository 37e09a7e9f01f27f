/// What a shop is made from. Equal settings give the same bytes in every answer.
package struct ShopSettings: Sendable, Hashable {
    /// The end of the shop's history when nothing else is asked for: Saturday 2026-01-31, 18:00 in New York, closing
    /// time. A constant, so that a seed gives the same bytes on every day and machine; in the past, so that a client
    /// that asks for everything up to its own clock misses nothing.
    package static let defaultNow = 1_769_900_400_000

    /// The most orders a shop can have: order numbers take 32 bits of an id's 56, the rest counts inside the order.
    package static let mostOrders = 10_000_000

    package var seed: UInt64
    /// Number of orders, oldest to newest.
    package var orderCount: Int
    /// The instant the shop takes for now, in milliseconds since 1970: its history ends there and the 90-day rules
    /// count from there.
    package var now: Int
    /// Days of the history; nil for as many as a shop needs for its orders.
    package var days: Int?

    /// The merchant's own createdTime, in milliseconds since 1970; nil for when the shop was set up. Records of an account that
    /// was made anew are older.
    package var merchantTime: Int?

    /// The longest history that can be asked for: twenty years.
    package static let mostDays = 7305

    package init(
        seed: UInt64 = 1, orderCount: Int = 5000, now: Int = ShopSettings.defaultNow, days: Int? = nil,
        merchantTime: Int? = nil
    ) {
        self.seed = seed
        self.orderCount = orderCount
        self.now = now
        self.days = days
        self.merchantTime = merchantTime
    }
}

import CloverAPI
import CloverAuth
import CloverCore
import CloverHTTP
import CloverOutput
import CloverReports

/// What a report reads, as typed.
struct ReportReadRequest: Sendable, LimitedRequest {
    /// The command, as other processes see it: `report sales`.
    let command: String
    var connection: ConnectionChoice
    /// A period in words.
    var period = "yesterday"
    /// When a day begins, in minutes after midnight.
    var startMinute = 0
    /// The time zone of the days; nil for the merchant's.
    var zone: FormatChoice.Zone?
    var usesServerClock = false
    var lists: Set<ReportList> = []
    /// What the user left out.
    var omitted: Set<ReportOmission> = []
    /// As in `ReportRequest`.
    var hasAllColumns = false
    var maximumTime: Double?
    var maximumRetries = RetryPolicy.usualRetries
    var pacing = RateLimitOptions()

    init(command: String, connection: ConnectionChoice) {
        self.command = command
        self.connection = connection
    }

    /// Runs a part of the command in what is left of the time limit.
    ///
    /// - Parameter start: when the command began, by the boot clock, in milliseconds.
    func limited<Value: Sendable>(
        since start: Int64, _ usage: ReportUsage, in environment: CommandEnvironment,
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let seconds = maximumTime ?? 0
        return try await TimeLimit.run(
            seconds: maximumTime.map { max(0, $0 - Double(environment.clock.boot() - start) / 1000) },
            sleep: environment.sleep,
            timeRanOut: {
                CoreError.timeRanOut(
                    seconds: seconds, records: usage.summary.records,
                    obstacle: usage.pause.obstacle(at: environment.clock.boot()))
            }, body)
    }
}

/// A list that reports read.
enum ReportList: String, CaseIterable, Sendable {
    case payments, refunds, credits, orders, employees, tenders, items

    /// How to do without the list, for people; nil for a list that every report needs.
    var alternative: String? {
        switch self {
        case .payments, .orders: nil
        case .refunds, .credits: "or leave it out; what depends on it is then empty: --without \(rawValue)"
        case .employees, .tenders: "or have ids instead of names: --without names"
        case .items: "or report what needs no categories: clover report items"
        }
    }

    /// What is expanded in its records.
    var expand: [String] {
        switch self {
        case .payments: ["taxRates", "tender", "additionalCharges", "cardTransaction"]
        case .refunds: ["lineItems", "payment", "overrideMerchantTender", "serviceCharge"]
        case .credits: ["taxRates", "tender"]
        case .orders:
            ["lineItems", "lineItems.discounts", "lineItems.modifications", "discounts", "serviceCharge", "payments"]
        case .items: ["categories"]
        case .employees, .tenders: []
        }
    }
}

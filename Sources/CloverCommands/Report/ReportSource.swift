import CloverCalendar
import CloverReports

/// A shop's business days.
protocol ReportDays {
    var calendar: BusinessCalendar { get }
    /// Milliseconds since 1970.
    var now: Int64 { get }
}

extension ReportDays {
    /// The current business day.
    var today: Int64 { calendar.date(at: now) }

    /// The period that a text means.
    func period(_ text: String) throws(ReportError) -> Period {
        do throws(PeriodError) {
            return try Period(parsing: text, today: today)
        } catch {
            throw .period(error, today: CalendarDate.text(today))
        }
    }

    /// A period as times: from its begin to its end, which is excluded.
    func bounds(of period: Period) -> (from: Int64, to: Int64) {
        (calendar.start(of: period.first), calendar.start(of: period.last + 1))
    }

    /// When most of the orders of a period were created, by the service's clock. Others are read by their ids.
    func orderTimes(_ period: Period) -> Range<Int64> {
        let (from, to) = bounds(of: period)
        return from - 86_400_000..<to
    }

    /// When payments that may belong to a period were created, by the service's clock.
    func paymentTimes(_ period: Period, usesServerClock: Bool) -> Range<Int64> {
        let (from, to) = bounds(of: period)
        if usesServerClock { return from..<to }
        let day: Int64 = 86_400_000
        // A client's clock may be a day ahead, and offline payments arrive late.
        let start = from - day
        return start..<max(start, min(to + RecordTime.longestDelay, now + day))
    }
}

/// Where the records of a report come from: the service, or a database that an export wrote.
protocol ReportSource: ReportDays, Sendable {
    /// ISO 4217 code; empty if unknown.
    var currency: String { get }
    /// Why what was read so far is not complete; nil if it is.
    var incompleteness: ReportError? { get }
    /// What to say of the source below the report.
    var remarks: [String] { get }

    /// Reads the names that the report shows.
    mutating func names() async throws -> ReportNames
    /// Reads payments, refunds, credits and orders of a period.
    mutating func read<Records: ReportRecords & Sendable>(_ period: Period, into records: inout Records) async throws
    /// Reads payments of other days that were refunded in the period.
    mutating func readRefunded(into run: inout ReportRun) async throws
}

import CloverAPI
import CloverCalendar
import CloverReports

extension Shop {
    /// Computes a report from the shop's payments, refunds, manual refunds and orders, each list read completely.
    ///
    /// ```swift
    /// let report = try await shop.report(.sales, period: .lastWeek, by: .day)
    /// for row in report.rows {
    ///     print(row["day"] ?? .empty, row.money("netSales")?.minorUnits ?? 0)
    /// }
    /// ```
    ///
    /// Every report needs the permissions `MERCHANT_R`, `PAYMENTS_R` and `ORDERS_R`. Those of employees, tips and refunds need
    /// `EMPLOYEES_R` too, and that of categories `INVENTORY_R`.
    ///
    /// - Parameters:
    ///   - name: the report.
    ///   - period: the business days, which begin at midnight; none may begin in the future. A text that is not a period, that
    ///     ends before it begins, or that begins after today in every time zone is refused before anything is sent. Without a
    ///     `timeZone`, the current day is known only after the shop's time zone was read.
    ///   - grouping: what a row stands for; nil for the report's own rows. Sales are divided by day, week, month or hour; tips
    ///     and refunds by employee, tender, day, week or month; taxes by month.
    ///   - timeZone: a name such as `America/New_York`; nil for the shop's own.
    /// - Throws: `CloverError`: of the kind `.request` for a period or grouping that makes no sense; of the kind of its cause if a
    ///   list cannot be read, such as `.forbidden` or `.unavailable`; and `.incomplete` if records are missing otherwise.
    ///   `Report.Unproved` if all records came and do not add up. `CancellationError`.
    public func report(
        _ name: Report.Name, period: Report.Period, by grouping: Report.Grouping? = nil, timeZone: String? = nil
    ) async throws -> Report {
        let result: Result<Report, Report.Unproved> = try await CloverError.during {
            do {
                return .success(try await computeReport(name, period, grouping, timeZone))
            } catch let error as Report.Unproved {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private func computeReport(
        _ name: Report.Name, _ period: Report.Period, _ grouping: Report.Grouping?, _ timeZone: String?
    ) async throws -> Report {
        let groupings = name.internalName.groupings
        let by = groupings.first { $0.rawValue == grouping?.rawValue }
        guard grouping == nil || by != nil else {
            let words = groupings.map(\.rawValue).joined(separator: ", ")
            throw CloverError.request(
                "the report \(name.rawValue) cannot be grouped by \(grouping?.rawValue ?? "")",
                words.isEmpty ? "leave out the grouping" : "group by one of \(words)")
        }
        let named = try timeZone.map(Self.rules)
        try Self.check(period, at: Self.now, in: named)
        let settings = try await properties()
        guard let zone = try named ?? settings["timezone", as: String.self].map(Self.rules) else {
            throw CloverError.request(
                "Clover does not say the shop's time zone", "pass timeZone, such as America/New_York")
        }
        let calendar = BusinessCalendar(zone: zone)
        let now = Self.now
        let request = ReportRequest(
            name.internalName, by: by, calendar: calendar, period: try Self.days(period, calendar.date(at: now)),
            currency: settings["defaultCurrency", as: String.self] ?? "")
        var reader = ReportReader(shop: self, request: request, now: now)
        let names = try await reader.names()
        let run = try await reader.read()
        guard let (table, findings) = run.finish(names: names).first else {
            throw CloverError.unreadable("the report \(name.rawValue) has no table")
        }
        let report = Report(table, request, name, grouping)
        guard findings.isEmpty else {
            throw Report.Unproved(report: report, findings: findings.map(Report.Finding.init))
        }
        return report
    }

    private static func days(
        _ period: Report.Period, _ today: Int64
    ) throws(CloverError) -> CloverCalendar.Period {
        do throws(PeriodError) {
            return try CloverCalendar.Period(parsing: period.text, today: today)
        } catch {
            let nextStep =
                switch error {
                case .malformed: "use a word such as last-week, or days such as 2026-10-01..2026-10-15"
                case .reversed: "exchange the two days"
                case .future: "use days that have begun"
                }
            throw .request(QueryError.period(error).words, nextStep)
        }
    }

    /// Refuses a period that makes no sense on any day that it may be in the shop.
    ///
    /// - Parameter zone: the shop's time zone; nil if it is not known yet.
    private static func check(
        _ period: Report.Period, at now: Int64, in zone: TimeZoneRules?
    ) throws(CloverError) {
        let today = BusinessCalendar(zone: zone ?? .utc).date(at: now)
        // Time zones differ from UTC by 14 hours at most.
        let possible = zone == nil ? today - 1...today + 1 : today...today
        var refusal: CloverError?
        for day in possible {
            do throws(CloverError) {
                _ = try days(period, day)
                return
            } catch {
                refusal = error
            }
        }
        if let refusal { throw refusal }
    }

    private static func rules(_ name: String) throws -> TimeZoneRules {
        do throws(TimeZoneError) {
            return try TimeZoneRules(named: name)
        } catch {
            throw CloverError.request("the time zone '\(name)' cannot be used: \(error)", "pass another timeZone")
        }
    }
}

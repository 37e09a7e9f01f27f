import CloverAPI
import CloverAuth
import CloverCalendar
import CloverCore
import CloverOutput

/// One run of `clover get` with defaults and conflicts resolved: what to request, in which pages.
struct GetPlan: Sendable {
    var path: ResourcePath
    var query: RecordQuery
    /// Nil for an endpoint that returns one object.
    var pages: PagePlan?
    /// Filters that the catalogue lacks, about which Clover is asked (`FilterNames`).
    var unlisted: [QueryValidator.UnlistedFilter] = []
    let merchantID: String

    /// The default of `--limit`. The page size is `ResourcePath.pageSize`.
    static let defaultLimit = 100

    /// - Parameter zone: time zone of dates and of times without an offset; nil when the plan only serves to check the
    ///   request before `located` finds the zone.
    init(_ request: GetRequest, merchantID: String, now: Int64, zone: TimeZoneRules? = nil) throws(QueryError) {
        self.merchantID = merchantID
        path = try ResourcePath(
            parsing: request.path, identifier: request.identifier, merchantID: merchantID,
            isChecked: request.isChecked)
        if request.isChecked, let name = path.placeholders.first {
            throw .unfilledName(name, path: path.display)
        }
        query = RecordQuery()
        let times = TimeExpression.Context(now: now, zone: zone ?? .utc)
        for text in try Self.filters(request, path, times) {
            query.filters += try FilterExpression.parse(text, times: times)
        }
        query.expand = RecordQuery.names(in: request.expand)
        for text in RecordQuery.names(in: request.sort) { query.sort.append(try SortKey(parsing: text)) }
        for text in request.parameters { query.parameters.append(try RecordQuery.Parameter(parsing: text)) }
        if request.isChecked, request.isComplete { query.separateLocalFilters(of: path) }
        if request.isChecked { unlisted = try QueryValidator.unlistedFilters(in: query, of: path) }
        pages = try Self.pages(request, path: path)
        // Refuse a sort order that windows cannot keep before sending anything.
        if pages != nil, request.isComplete { _ = try TimeWindows(query, of: path, now: now) }
    }

    /// The filters as typed, and that of `--period`.
    private static func filters(
        _ request: GetRequest, _ path: ResourcePath, _ times: TimeExpression.Context
    ) throws(QueryError) -> [String] {
        guard let period = request.period else { return request.filters }
        let today = times.zone.day(at: times.now)
        do throws(PeriodError) {
            _ = try Period(parsing: period.lowercased(), today: today)
        } catch {
            throw .period(error)
        }
        guard let field = timeField(of: path) else { throw .noPeriods(path: path.display) }
        return request.filters + ["\(field)=\(period)"]
    }

    /// The time of creation in the records of a list, whether the service filters by it or the tool.
    private static func timeField(of path: ResourcePath) -> String? {
        if let field = path.endpoint?.timeField { return field }
        let model = path.endpoint?.model.flatMap { ModelCatalogue.model(named: $0) }
        let name = path.isPagedByCursor ? "created" : "createdTime"
        return model?.field(named: name) == nil ? nil : name
    }

    /// Whether the filters of a request have a date or a time without an offset.
    static func needsZone(_ request: GetRequest) throws -> Bool {
        if request.period != nil { return true }
        return try TimeExpression.Context.needsZone(now: 0) { times in
            try request.filters.flatMap { try FilterExpression.parse($0, times: times) }
        }
    }

    /// The same, where the zone has to be requested from the service.
    static func asksForZone(_ request: GetRequest) throws -> Bool {
        guard request.zone == nil || request.zone == .merchant else { return false }
        return try needsZone(request)
    }

    /// The plan with its dates in the time zone of `--zone` or of the merchant, and the merchant's facts where they were
    /// read for that.
    static func located(
        _ request: GetRequest, _ connection: Connection, _ client: ServiceClient, now: Int64,
        in environment: CommandEnvironment
    ) async throws -> (plan: GetPlan, facts: MerchantSettings?) {
        let merchantID = connection.merchantID
        guard try needsZone(request) else { return (try GetPlan(request, merchantID: merchantID, now: now), nil) }
        let (zone, facts) = try await MerchantSettings.clocks(request.zone, of: merchantID, in: environment) { client }
        return (try GetPlan(request, merchantID: merchantID, now: now, zone: zone), facts)
    }

    /// The connection of the request. Without a sign-in, an error in the request itself is reported first.
    static func connection(
        _ request: GetRequest, noting pause: RateLimitPause? = nil, in environment: CommandEnvironment
    ) async throws -> Connection {
        do {
            return try await Connection.resolve(
                request.connection, in: environment.waitingForSignIns(atMost: request.maximumTime, noting: pause))
        } catch let error as CoreError {
            let plan = try GetPlan(request, merchantID: anyMerchant, now: environment.clock.wall())
            if let first = plan.unlisted.first { throw first.refusal }
            throw error
        }
    }

    /// Stands in a path for an unknown merchant.
    private static let anyMerchant = "-"

    private static func pages(_ request: GetRequest, path: ResourcePath) throws(QueryError) -> PagePlan? {
        let isAsked = request.limit != nil || request.isEverything || request.offset != nil
        guard path.endpoint?.shape == .list || path.endpoint == nil && isAsked else {
            if isAsked {
                let option = request.limit != nil ? "--limit" : request.isEverything ? "--all" : "--offset"
                throw .notAList(path: path.display, option: option)
            }
            return nil
        }
        return PagePlan(
            offset: request.offset ?? 0,
            limit: request.isEverything ? nil : request.limit ?? defaultLimit,
            pageSize: path.pageSize)
    }
}

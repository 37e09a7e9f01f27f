import CloverAPI
import CloverAuth
import CloverRecords

/// One run of `clover get`, decided: what is asked of the service, in which pages.
struct GetPlan: Sendable {
    var path: ResourcePath
    var query: RecordQuery
    /// Nil for an endpoint that answers with one object.
    var pages: PagePlan?

    /// Records when the user says nothing.
    static let defaultLimit = 100
    /// Clover's largest page where the catalogue knows no other.
    static let largestPage = 1000

    /// - Parameter zone: the clocks of dates and of times without an offset; nil when nothing is sent before `located` has
    ///   found them.
    init(_ request: GetRequest, merchantID: String, now: Int64, zone: TimeZoneRules? = nil) throws(QueryError) {
        path = try ResourcePath(
            parsing: request.path, identifier: request.identifier, merchantID: merchantID,
            isChecked: request.isChecked)
        if request.isChecked, let name = path.placeholders.first {
            throw .unfilledName(name, path: path.display)
        }
        query = RecordQuery()
        let times = TimeExpression.Context(now: now, zone: zone ?? .utc)
        for text in request.filters { query.filters.append(try FilterExpression(parsing: text, times: times)) }
        query.expand = Self.names(in: request.expand)
        for text in Self.names(in: request.sort) { query.sort.append(try SortKey(parsing: text)) }
        for text in request.parameters { query.parameters.append(try RecordQuery.Parameter(parsing: text)) }
        if request.isChecked { try QueryCheck.check(query, of: path) }
        pages = try Self.pages(request, path: path)
        // A sort that windows cannot keep is refused before anything is sent.
        if pages != nil, request.isComplete { _ = try TimeWindows(query, of: path, now: now) }
    }

    /// Whether the filters of a request have a date or a time without an offset.
    static func needsZone(_ request: GetRequest) throws -> Bool {
        try TimeExpression.Context.needsZone(now: 0) { times in
            try request.filters.map { try FilterExpression(parsing: $0, times: times) }
        }
    }

    /// The same, where the service has to be asked for the zone.
    static func asksForZone(_ request: GetRequest) throws -> Bool {
        guard request.format.zone == nil || request.format.zone == .merchant else { return false }
        return try needsZone(request)
    }

    /// The plan with its dates by the clocks of `--zone` or of the merchant, and the merchant's facts where the service was
    /// asked for them.
    static func located(
        _ request: GetRequest, _ connection: Connection, _ client: ServiceClient, now: Int64
    ) async throws -> (plan: GetPlan, facts: MerchantFacts?) {
        let merchantID = connection.merchantID
        guard try needsZone(request) else { return (try GetPlan(request, merchantID: merchantID, now: now), nil) }
        let (zone, facts) = try await MerchantFacts.clocks(request.format.zone, of: merchantID) { client }
        return (try GetPlan(request, merchantID: merchantID, now: now, zone: zone), facts)
    }

    /// The connection of the request. Where nobody is signed in, what cannot be meant is told all the same.
    static func connection(_ request: GetRequest, in environment: CommandEnvironment) async throws -> Connection {
        do {
            return try await Connection.resolve(request.connection, in: environment)
        } catch let error as CoreError {
            _ = try GetPlan(request, merchantID: anyMerchant, now: environment.clock.wall())
            throw error
        }
    }

    /// In a path, for a merchant who is not known.
    private static let anyMerchant = "-"

    /// The parts of comma-separated lists; an empty part stays one, to be refused by name.
    private static func names(in lists: [String]) -> [String] {
        lists.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    }

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
            pageSize: path.endpoint?.maximumPage ?? largestPage)
    }
}

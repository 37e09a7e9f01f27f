import CloverAPI
import CloverExport
import CloverRecords

/// The range of a run over one resource, with its ends pinned.
struct RangePlan {
    private let resource: ResourcePlan
    private let request: ExportRequest
    private let merchant: ExportMerchant
    private let stream: ExportStream
    private let now: Int64

    init(
        _ resource: ResourcePlan, _ request: ExportRequest, _ merchant: ExportMerchant, _ stream: ExportStream,
        now: Int64
    ) {
        self.resource = resource
        self.request = request
        self.merchant = merchant
        self.stream = stream
        self.now = now
    }

    /// What tells this range from others, in words that are the same in the run that goes on with it.
    static func key(_ request: ExportRequest, day: BusinessDay?) -> String {
        let range =
            switch request.range {
            case .last: "last"
            case .full: "full"
            case .since(let text): "since=\(text)"
            case .day: "day=\(day?.date ?? "")@\(request.dayStart)"
            }
        return request.until.map { "\(range);until=\($0)" } ?? range
    }

    /// The same for a range that may come from the service's own exports.
    static func key(_ request: ExportRequest, day: BusinessDay?, _ stream: ExportStream) -> String {
        let key = key(request, day: day)
        return ServiceExport.isMeant(request, stream) ? ServiceExport.mark + key : key
    }

    /// The plan, with its windows.
    func plan(day: BusinessDay?) async throws -> ExportPlan {
        var plan = ExportPlan(
            request: Self.key(request, day: day, stream), startedAt: now, finish: now,
            dropsKnown: request.range == .last)
        let windows: [PlannedWindow]
        switch request.range {
        case .day:
            guard let field = resource.dayField else { throw ExportError.noDays(resource: resource.name) }
            guard let zone = merchant.zone, let day else {
                throw ExportError.noTimeZone(merchant: merchant.merchantID)
            }
            let bounds = day.bounds(in: zone)
            plan.start = bounds.from
            plan.finish = bounds.to
            windows = [PlannedWindow(field: field, from: bounds.from, to: bounds.to)]
        case .last, .full, .since:
            guard let field = resource.tracking.field else {
                try refuseTimes()
                windows = [PlannedWindow(field: nil, from: nil, to: now)]
                break
            }
            plan.finish = min(try instant(request.until) ?? now, now)
            let (start, isWhole) = try await start()
            plan.start = start
            if case .since = request.range, start >= plan.finish {
                throw ExportError.emptyRange(from: start, to: plan.finish)
            }
            if ServiceExport.isMeant(request, stream) {
                windows = PlannedWindow.split(
                    field: ServiceExport.field, from: start, to: plan.finish,
                    length: min(length, ExportAPIPlan.longest))
                break
            }
            windows = PlannedWindow.split(
                field: isWhole ? resource.historyField ?? field : field, from: start, to: plan.finish,
                length: length)
        }
        plan.windows = windows.map { ExportPlan.Window(window: $0, isDone: false) }
        return plan
    }

    /// Where the range begins, and whether that is the beginning of all there is.
    private func start() async throws -> (Int64, Bool) {
        switch request.range {
        case .since(let text):
            guard let instant = try instant(text) else { throw ExportError.malformedTime(text) }
            return (instant, false)
        case .last:
            if let bookmark = stream.bookmark { return (bookmark, false) }
        case .full, .day: break
        }
        return (
            try await ListAge(merchant.client, resource.path).earliest() ?? TimeWindows.beginning, true
        )
    }

    private func instant(_ text: String?) throws(ExportError) -> Int64? {
        guard let text else { return nil }
        guard let instant = TimeExpression.milliseconds(text, in: TimeExpression.Context(now: now)) else {
            throw .malformedTime(text)
        }
        return instant
    }

    private var length: Int64 {
        min(PlannedWindow.longest, request.windowLength.map { Int64(($0 * 1000).rounded()) } ?? PlannedWindow.longest)
    }

    /// A resource that is taken whole has no other times than now.
    private func refuseTimes() throws(ExportError) {
        if case .since = request.range { throw .noTimes(resource: resource.name, option: "--since") }
        if request.until != nil { throw .noTimes(resource: resource.name, option: "--until") }
    }
}

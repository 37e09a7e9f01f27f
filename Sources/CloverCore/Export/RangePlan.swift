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
    private let diagnostics: Diagnostics

    init(
        _ resource: ResourcePlan, _ request: ExportRequest, _ merchant: ExportMerchant, _ stream: ExportStream,
        now: Int64, _ diagnostics: Diagnostics
    ) {
        self.diagnostics = diagnostics
        self.resource = resource
        self.request = request
        self.merchant = merchant
        self.stream = stream
        self.now = now
    }

    /// What tells this range from others, in words that are the same in the run that goes on with it.
    func key(day: BusinessDay?) -> String {
        let parts = resource.parts.map(\.name).sorted().joined(separator: ",")
        if resource.partsOnly != nil { return "parts=\(parts)#\(request.filesChoice)" }
        var key =
            switch request.range {
            // With another part it is begun anew, so that a part is never without its first windows.
            case .last: parts.isEmpty ? "last" : "last+\(parts)"
            case .full: "full"
            case .since(let text): "since=\(times.pinned(text))"
            case .day: "day=\(day?.date ?? "")@\(request.dayStart)" + bounds(of: day)
            }
        if let until = request.until { key += ";until=\(times.pinned(until))" }
        // What changed lately is written once, however it was asked for. Of what is asked for whatever was exported
        // before, all is wanted in the same form and under the same names.
        if request.range != .last { key += "#" + request.filesChoice }
        return ServiceExport.isMeant(request, stream) ? ServiceExport.mark + key : key
    }

    /// Milliseconds that clocks are set back by without anybody having been wrong.
    private static let clockSlack: Int64 = 60_000

    private var times: RangeTimes { RangeTimes(request, now: now, zone: merchant.zone) }

    /// The same day has other bounds by other clocks.
    private func bounds(of day: BusinessDay?) -> String {
        guard let day, let zone = merchant.zone else { return "" }
        let bounds = day.bounds(in: zone)
        return "/\(bounds.from)-\(bounds.to)"
    }

    /// The plan, with its windows.
    ///
    /// - Parameter names: of the files; nil where there are none.
    func plan(day: BusinessDay?, _ names: NameTemplate? = nil) async throws -> ExportPlan {
        var plan = ExportPlan(
            request: key(day: day), startedAt: now, finish: now,
            dropsKnown: request.range == .last)
        let windows: [PlannedWindow]
        switch request.range {
        case .day:
            guard let field = resource.dayField else { throw ExportError.noDays(resource: resource.name) }
            guard let zone = merchant.zone, let day else {
                throw ExportError.noTimeZone(merchant: merchant.merchantID)
            }
            let bounds = day.bounds(in: zone)
            guard bounds.from < now else { throw ExportError.dayToCome(day.date, from: bounds.from) }
            plan.start = bounds.from
            plan.finish = min(bounds.to, now)
            windows = [PlannedWindow(field: field, from: bounds.from, to: plan.finish)]
        case .last, .full, .since:
            guard let field = resource.tracking.field else {
                try times.check(resource)
                windows = [PlannedWindow(field: nil, from: nil, to: now)]
                break
            }
            plan.finish = min(try times.finish, resource.partsOnly?.to ?? .max)
            let (start, isWhole) = try await start()
            plan.start = start
            if isWhole { plan.beginning = start }
            if case .since = request.range, start >= plan.finish {
                throw ExportError.emptyRange(from: start, to: plan.finish)
            }
            if case .last = request.range, request.until == nil, start - now > Self.clockSlack {
                throw ExportError.clockBehind(resource: resource.name, end: start, now: now)
            }
            if ServiceExport.isMeant(request, stream) {
                windows = PlannedWindow.split(
                    field: ServiceExport.field, from: start, to: plan.finish,
                    length: min(times.windowLength, ExportAPIPlan.longest))
                break
            }
            let divided = isWhole ? resource.historyField ?? field : field
            if let names, names.has(.date), let zone = merchant.zone, let days = times.windowDays {
                // A name with a date is that of all of it.
                windows = PlannedWindow.split(field: divided, from: start, to: plan.finish, days: days, in: zone)
            } else {
                windows = PlannedWindow.split(
                    field: divided, from: start, to: plan.finish, length: times.windowLength)
            }
        }
        plan.windows = windows.map { ExportPlan.Window(window: $0, isDone: false) }
        return plan
    }

    /// Where the range begins, and whether that is the beginning of all there is.
    private func start() async throws -> (Int64, Bool) {
        if let only = resource.partsOnly, let from = only.from { return (from, false) }
        switch request.range {
        case .since:
            if let start = try times.start { return (start, false) }
        case .last:
            if let bookmark = stream.bookmark(overlap: request.effectiveOverlap) { return (bookmark, false) }
        case .full, .day: break
        }
        return (try await resource.beginning(of: merchant, diagnostics), true)
    }
}

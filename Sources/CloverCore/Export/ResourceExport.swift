import CloverAPI
import CloverAuth
import CloverExport
import CloverRecords

/// The export of one resource of one merchant: what is left of a run that was killed, and then what has changed since.
struct ResourceExport: Sendable {
    let request: ExportRequest
    let merchant: ExportMerchant
    let target: ExportTarget
    let names: NameTemplate
    let tally: ExportTally
    let environment: CommandEnvironment

    /// So many windows in a row that fail are not one bad window.
    private static let patience = 2
    /// The longest that there is, by clocks that are set back.
    private static let day: Int64 = 25 * 3_600_000

    /// Every record that was asked for is in a file, or on standard output, unless this throws.
    func run(_ resource: ResourcePlan, at place: Int) async throws {
        let now = environment.clock.wall()
        var stream = try await target.store.begin(
            destination: target.identifier, environment: merchant.connection.environment.name,
            merchant: merchant.merchantID, resource: resource.name, profile: merchant.profile, now: now)
        stream.form = try await form(of: resource, stream)
        do {
            stream = try await exportMissing(resource, stream, now: now, at: place)
            try await catchUp(resource, stream, now: now, at: place)
            if let end = try await export(resource, request, stream, now: now, at: place) {
                // The end that was pinned then is long ago.
                let known = try await target.store.stream(stream.place)
                var rest = request
                if !rest.range.isDay { rest.range = range(after: end, resource, known) }
                _ = try await export(resource, rest, known, now: now, at: place)
            }
        } catch {
            throw try await TokenDiagnosis(merchant.connection, in: environment).explained(error, at: resource.path)
        }
        tally.change(place) { $0.isDone = true }
    }

    /// What is left of a range after an end of long ago: where other runs have gone on meanwhile, their records too.
    private func range(
        after end: Int64, _ resource: ResourcePlan, _ stream: ExportStream
    ) -> ExportRequest.Range {
        if request.range == .last || resource.tracking.field == nil { return .last }
        if isOwnForm(stream), let bookmark = stream.bookmark, bookmark <= end { return .last }
        return .since(InstantText.utc(milliseconds: end - request.effectiveOverlap))
    }

    /// What follows the last run has that run's form: of two forms each would get a part of what changed.
    ///
    /// - Returns: the form that the runs that follow each other have.
    /// - Throws: `ExportError.formChanged`.
    private func form(of resource: ResourcePlan, _ stream: ExportStream) async throws -> ExportForm? {
        guard request.range == .last, resource.tracking.field != nil, !isOwnForm(stream) || stream.form == nil else {
            return stream.form
        }
        if let kept = stream.form {
            // A first run that has brought nothing yet is gone on with in any form.
            var hasBegun = stream.bookmark != nil
            if !hasBegun, target.directory != nil { hasBegun = try await target.store.hasBegun(stream.place) }
            guard !hasBegun else {
                throw ExportError.formChanged(
                    resource: resource.name, place: target.directory?.path ?? "standard output", kept: kept.words)
            }
        }
        try await target.store.keep(request.form, of: stream.place)
        return request.form
    }

    /// Whether this run writes what the runs do that follow each other, as far as that is known.
    private func isOwnForm(_ stream: ExportStream) -> Bool {
        stream.form.map { $0.choice == request.form.choice } ?? true
    }

    /// Exports the history of parts that were not asked for when the records were exported.
    private func catchUp(_ resource: ResourcePlan, _ stream: ExportStream, now: Int64, at place: Int) async throws {
        // One that is gone on with ends where the records had come to when it began.
        for _ in 0..<2 { try await catchUpOnce(resource, stream, now: now, at: place) }
    }

    private func catchUpOnce(
        _ resource: ResourcePlan, _ stream: ExportStream, now: Int64, at place: Int
    ) async throws {
        guard request.range == .last, request.until == nil, resource.tracking.field != nil, !resource.parts.isEmpty,
            let bookmark = stream.bookmark
        else { return }
        let known = try await target.store.parts(of: stream.place)
        let behind = resource.parts.map(\.name).filter { known[$0] ?? .min < bookmark }
        guard !behind.isEmpty else { return }
        let ends = behind.map { known[$0] }
        // Up to all that is known and so does not come again.
        let only = resource.only(
            behind, from: ends.contains(nil) ? nil : ends.compactMap(\.self).min(),
            to: bookmark + Self.allowance(stream))
        environment.diagnostics.notice(
            "\(behind.joined(separator: ", ")) of \(resource.name) were left out of earlier runs and are exported now")
        var whole = request
        whole.range = .full
        _ = try await export(only, whole, stream, now: now, at: place)
    }

    /// Milliseconds from a bookmark to where everything has come again: the end of its run, and that a time of change may be
    /// a second earlier than the time of making.
    private static func allowance(_ stream: ExportStream) -> Int64 { (stream.overlap ?? 0) + 2000 }

    /// Runs the plan of a range: the one that is under way, or a new one.
    ///
    /// - Returns: where it ends, when it was one under way that ends before what is asked for now; nil for what is whole.
    private func export(
        _ resource: ResourcePlan, _ request: ExportRequest, _ stream: ExportStream, now: Int64, at place: Int
    ) async throws -> Int64? {
        let day = try businessDay(request, now: now)
        let range = RangePlan(resource, request, merchant, stream, now: now, environment.diagnostics)
        let key = range.key(day: day)
        let underWay = try await underWay(key, request, stream)
        let plan: ExportPlan
        if let underWay {
            plan = underWay
        } else {
            plan = try await range.plan(day: day, names)
            if plan.windows.count > 1, target.directory != nil, !request.appends, !names.tellsWindows {
                throw ExportError.name(.missing("{window}"), template: names.text)
            }
        }
        if target.directory != nil, names.has(.date), day == nil,
            plan.windows.contains(where: { window in
                window.window.from.map { window.window.to - $0 > Self.day } ?? false
            })
        {
            environment.diagnostics.detail(
                "files of \(resource.name) have more than a day each, and as {date} the last one; --window 1d makes one of "
                    + "each date")
        }
        let wasRead = plan.windows.allSatisfy(\.isDone)
        let known = plan.dropsKnown ? try await target.store.knownRecords(of: stream.place) : [:]
        do {
            try await exportWindows(of: plan, resource, stream, known: known, day: exported(day), at: place)
        } catch let error as ExportError {
            // With the same end it would meet the same name for ever: the next run has another.
            switch error {
            case .nameTaken, .dayTaken, .formTaken, .alreadyAdded: try await target.store.drop(plan)
            default: break
            }
            throw error
        }
        // Before the plan goes, by which they are known.
        try await target.removeSuperseded()
        let done = try await target.store.plan(key, of: stream.place) ?? plan
        guard resource.partsOnly == nil else {
            if let bookmark = stream.bookmark {
                try await target.store.complete(
                    done, of: stream.place, parts: resource.parts.map(\.name),
                    // One that was under way knew an earlier bookmark.
                    reached: underWay == nil ? bookmark : min(bookmark, done.finish - Self.allowance(stream)))
            }
            return nil
        }
        var end = end(of: done, resource, stream)
        end.parts = try await partsInStep(resource, request, stream)
        try await target.store.complete(done, of: stream.place, end, now: environment.clock.wall())
        tally.change(place) { $0.newest = [$0.newest, done.newest].compactMap(\.self).max() }
        guard underWay != nil else { return nil }
        if let day = exported(day) { return plan.finish < min(day.end, now) ? plan.finish : nil }
        // A list that is taken whole was read just now, unless the run before had come that far.
        if resource.tracking.field == nil, wasRead { return plan.finish }
        let isShort =
            try resource.tracking.field != nil
            && plan.finish < RangeTimes(request, now: now, zone: merchant.zone).finish
        return isShort ? plan.finish : nil
    }

    private func exported(_ day: BusinessDay?) -> ExportedDay? {
        guard let day, let zone = merchant.zone else { return nil }
        return ExportedDay(date: day.date, end: day.bounds(in: zone).to)
    }

    /// The plan for a range that a run before did not bring to its end, as far as there is anything left of it.
    private func underWay(
        _ key: String, _ request: ExportRequest, _ stream: ExportStream
    ) async throws -> ExportPlan? {
        guard var plan = try await target.store.plan(key, of: stream.place) else { return nil }
        guard let directory = target.directory else {
            // What was written to a pipe by a run that failed may have reached nobody.
            if ServiceExport.isMeant(plan) { return try await target.store.restart(plan) }
            try await target.store.drop(plan)
            return nil
        }
        // Whoever asks for what changed may take its files away; everything is everything.
        guard !plan.dropsKnown else { return plan }
        for index in plan.windows.indices where plan.windows[index].isDone {
            for path in try await target.store.paths(of: plan.windows[index].window, of: stream.place)
            where try directory.size(of: path) == nil {
                plan.windows[index].isDone = false
            }
            if !plan.windows[index].isDone { try await target.store.reopen(index, of: plan) }
        }
        return plan
    }

    /// The parts of which nothing before the next bookmark is missing.
    private func partsInStep(
        _ resource: ResourcePlan, _ request: ExportRequest, _ stream: ExportStream
    ) async throws -> [String] {
        let names = resource.parts.map(\.name)
        guard let bookmark = stream.bookmark, request.range != .full else { return names }
        let known = try await target.store.parts(of: stream.place)
        return names.filter { known[$0] ?? .min >= bookmark }
    }

    private func businessDay(_ request: ExportRequest, now: Int64) throws -> BusinessDay? {
        guard case .day(let text) = request.range else { return nil }
        guard let zone = merchant.zone else { throw ExportError.noTimeZone(merchant: merchant.merchantID) }
        return try BusinessDay(parsing: text, start: request.dayStart, now: now, zone: zone)
    }

    /// Exports the windows that are not done yet, each of them for good.
    func exportWindows(
        of plan: ExportPlan, _ resource: ResourcePlan, _ stream: ExportStream,
        known: [String: SeenRecords.Version], day: ExportedDay?, at place: Int
    ) async throws {
        let tally = tally
        let windowExport = WindowExport(
            request: request, resource: resource, merchant: merchant, target: target, stream: stream, names: names,
            day: day, beginning: try await beginning(of: resource, stream, plan), environment: environment)
        tally.change(place) { entry in
            entry.windows = plan.windows.count
            entry.windowsDone = plan.windows.count { $0.isDone }
        }
        var plan = plan
        if let day, plan.finish < day.end {
            environment.diagnostics.notice(
                "\(day.date) is not over: \(resource.name) up to \(InstantText.utc(milliseconds: plan.finish)); "
                    + "the next run of that day replaces it")
        }
        let record = PlanRecord(plan, of: stream, in: target.store)
        // What the service is asked for in it is kept with it.
        if plan.windows.isEmpty || ServiceExport.isMeant(plan) {
            try await record.write()
            plan = await record.plan
        }
        var failed: [PlannedWindow] = []
        var failure: (any Error)?
        var failuresInARow = 0
        var had: [String: Int] = [:]
        for index in plan.windows.indices where !plan.windows[index].isDone {
            let window = plan.windows[index].window
            do {
                let outcome = try await windowExport.run(
                    window, of: plan, known: known, record: record
                ) { progress in
                    tally.change(place) { $0.underWay = progress }
                }
                let written = await record.plan
                (plan.place, plan.filesBefore) = (written.place, written.filesBefore)
                try await target.store.finish(index, of: plan, in: stream, outcome.end)
                try await target.listFiles()
                plan.windows[index].isDone = true
                plan.newest = [plan.newest, outcome.end.newest].compactMap(\.self).max()
                failuresInARow = 0
                for path in outcome.had { had[path, default: 0] += 1 }
                tally.change(place) { entry in
                    entry.records += Int(outcome.end.records)
                    entry.files += outcome.end.files.count
                    entry.bytes += outcome.bytes
                    entry.windowsDone += 1
                    entry.endWindow()
                }
                tell(place)
            } catch let error where Self.concernsOneWindow(error) {
                // The others go on: what is published is whole windows, and the bookmark stays before this one.
                tally.change(place) { $0.endWindow() }
                failure = failure ?? error
                failed.append(window)
                failuresInARow += 1
                if failuresInARow == Self.patience { break }
            }
        }
        for (path, count) in had.sorted(by: { $0.key < $1.key }) {
            let windows = count == 1 ? "1 window" : "\(count) windows"
            environment.diagnostics.warning("\(path) had \(windows) of this range already, which are not added again")
        }
        guard let failure else { return }
        let done = plan.windows.count { $0.isDone }
        // What a list of records that arrive in the output is told is not what helps here.
        let isIncomplete = if case CoreError.incomplete = failure { true } else { false }
        guard done > 0 || isIncomplete else { throw failure }
        throw ExportEnding.windowsMissing(
            ExportEnding.WindowsMissing(
                resource: resource.name, spans: Self.spans(failed),
                untried: Self.spans(
                    plan.windows.filter { !$0.isDone && !failed.contains($0.window) }.map(\.window)),
                windows: plan.windows.count, done: done,
                isGoneOnWith: target.directory != nil, cause: Self.cause(failure), mayTryLonger: !isIncomplete))
    }

    /// Where the list begins, for windows of change that are read in those of making; it is looked for once.
    private func beginning(of resource: ResourcePlan, _ stream: ExportStream, _ plan: ExportPlan) async throws -> Int64?
    {
        guard resource.isReadFromBeginning else { return nil }
        var beginning = plan.beginning
        if beginning == nil {
            let field = resource.tracking.field
            guard !ServiceExport.isMeant(plan), plan.windows.contains(where: { !$0.isDone && $0.window.field == field })
            else { return nil }
            if let known = try await target.store.stream(stream.place).beginning { return known }
            beginning = try await resource.beginning(of: merchant, environment.diagnostics)
        }
        if let beginning { try await target.store.keep(beginning: beginning, of: stream.place) }
        return beginning
    }

    /// Windows that join, as one.
    private static func spans(_ windows: [PlannedWindow]) -> [TimeWindow] {
        var spans: [TimeWindow] = []
        for window in windows {
            let from = window.from ?? window.to
            if let last = spans.indices.last, spans[last].to == from {
                spans[last].to = window.to
            } else {
                spans.append(TimeWindow(from: from, to: window.to))
            }
        }
        return spans
    }

    private static func cause(_ error: any Error) -> String {
        switch error {
        case ServiceError.failed(let status, _, _, _): "\(status)"
        case ServiceError.unreadable: "an answer that is no page of records"
        case CoreError.incomplete(let shortfall): shortfall.brief
        default: "it was not whole"
        }
    }

    private static func concernsOneWindow(_ error: any Error) -> Bool {
        switch error {
        case ServiceError.failed, ServiceError.unreadable, CoreError.incomplete: true
        default: false
        }
    }

    private func tell(_ place: Int) {
        let entry = tally.resources[place]
        environment.diagnostics.detail(
            "\(entry.name): window \(entry.windowsDone) of \(entry.windows), \(entry.records) records")
    }

    private func end(
        of plan: ExportPlan, _ resource: ResourcePlan, _ stream: ExportStream
    ) -> ExportStore.PlanEnd {
        let isDay = plan.request.hasPrefix("day=") || plan.request.hasPrefix(ServiceExport.mark + "day=")
        var end = ExportStore.PlanEnd(
            bookmark: nil, coveredTo: min(plan.finish, plan.startedAt), isRegular: plan.dropsKnown || isDay)
        guard !isDay, resource.tracking.field != nil, let start = plan.start else { return end }
        guard isOwnForm(stream) || request.range == .full else {
            // What is left out in the form that is kept is not exported in it.
            end.coveredTo = nil
            return end
        }
        end.form = request.form
        end.changesForm = !isOwnForm(stream)
        if ServiceExport.isPart(plan), stream.bookmark != nil {
            // What was made before it, and changed in it, is left out.
            end.coveredTo = nil
            return end
        }
        let overlap = request.effectiveOverlap
        // Not the end of the run where nothing came: a clock that was wrong must not hide what comes later.
        guard let bookmark = stream.bookmark, isOwnForm(stream) else {
            end.bookmark = plan.newest.map { min(plan.finish, $0) - overlap } ?? start
            end.overlap = overlap
            return end
        }
        if start > bookmark {
            // There is a hole between the two.
            end.coveredTo = nil
            end.form = nil
            return end
        }
        // What is known of the last run's end is not what this one has found.
        if plan.finish <= bookmark { return end }
        // A longer overlap than before takes it back, as far as this run went back.
        let least = max(stream.bookmark(overlap: overlap) ?? bookmark, start)
        let next = plan.newest.map { min(plan.finish, $0) - overlap } ?? least
        end.bookmark = max(next, least)
        end.overlap = next > least ? overlap : (stream.overlap ?? overlap) + bookmark - least
        return end
    }
}

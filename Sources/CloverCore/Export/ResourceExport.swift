import CloverAPI
import CloverAuth
import CloverExport
import CloverJSON

/// Exports one resource of one merchant: first the rest of a run that was killed, then what changed since.
struct ResourceExport: Sendable {
    let request: ExportRequest
    let merchant: ExportMerchant
    let target: ExportDestination
    let names: NameTemplate
    let results: ExportResults
    let environment: CommandEnvironment

    /// Give up after this many consecutive failed windows.
    private static let maximumConsecutiveFailures = 2
    /// Longest possible local day in milliseconds: 25 h, when clocks go back.
    private static let longestDay: Int64 = 25 * 3_600_000

    /// Exports every requested record to a file or standard output, or throws.
    func run(_ resource: ResourcePlan, at place: Int) async throws {
        let now = environment.clock.wall()
        var stream = try await target.store.begin(
            destination: target.identifier, environment: merchant.connection.environment.name,
            merchant: merchant.merchantID, resource: resource.name, profile: merchant.profile, now: now)
        stream.form = try await form(of: resource, stream)
        do {
            stream = try await exportMissing(resource, stream, now: now, at: place)
            try await exportPartHistory(resource, stream, now: now, at: place)
            if let end = try await export(resource, request, stream, now: now, at: place) {
                // The resumed plan ended where its own run started; export what changed since.
                let known = try await target.store.stream(stream.place)
                var rest = request
                if !rest.range.isDay { rest.range = range(after: end, resource, known) }
                _ = try await export(resource, rest, known, now: now, at: place)
            }
        } catch {
            throw try await TokenDiagnosis(merchant.connection, in: environment).explained(error, at: resource.path)
        }
        results.change(place) { $0.isDone = true }
    }

    /// The range that remains after the end of a resumed plan. Where other runs advanced the bookmark meanwhile, it
    /// includes their records.
    private func range(
        after end: Int64, _ resource: ResourcePlan, _ stream: ExportStream
    ) -> ExportRequest.Range {
        if request.range == .last || resource.tracking.field == nil { return .last }
        if isOwnForm(stream), let bookmark = stream.bookmark, bookmark <= end { return .last }
        return .since(InstantText.utc(milliseconds: end - request.effectiveOverlap))
    }

    /// Makes sure that incremental runs keep one form: with two forms, each would get only a part of the changes.
    ///
    /// - Returns: the form of the incremental runs.
    /// - Throws: `ExportError.formChanged`.
    private func form(of resource: ResourcePlan, _ stream: ExportStream) async throws -> ExportForm? {
        guard request.range == .last, resource.tracking.field != nil, !isOwnForm(stream) || stream.form == nil else {
            return stream.form
        }
        if let kept = stream.form {
            // A first run that exported nothing yet may be resumed in any form.
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

    /// Whether this run writes the form of the incremental runs, as far as that is known.
    private func isOwnForm(_ stream: ExportStream) -> Bool {
        stream.form.map { $0.choice == request.form.choice } ?? true
    }

    /// Exports the history of parts that were not requested when the records were exported.
    private func exportPartHistory(
        _ resource: ResourcePlan, _ stream: ExportStream, now: Int64, at place: Int
    ) async throws {
        // A resumed plan ends at the bookmark of its start, so a second pass covers the rest.
        for _ in 0..<2 { try await exportPartHistoryOnce(resource, stream, now: now, at: place) }
    }

    private func exportPartHistoryOnce(
        _ resource: ResourcePlan, _ stream: ExportStream, now: Int64, at place: Int
    ) async throws {
        guard request.range == .last, request.until == nil, resource.tracking.field != nil, !resource.parts.isEmpty,
            let bookmark = stream.bookmark
        else { return }
        let known = try await target.store.parts(of: stream.place)
        let behind = resource.parts.map(\.name).filter { known[$0] ?? .min < bookmark }
        guard !behind.isEmpty else { return }
        let ends = behind.map { known[$0] }
        // Up to the point before which the next incremental run exports nothing again.
        let only = resource.only(
            behind, from: ends.contains(nil) ? nil : ends.compactMap(\.self).min(),
            to: bookmark + Self.allowance(stream))
        environment.diagnostics.notice(
            "earlier runs did not export \(behind.joined(separator: ", ")) of \(resource.name); "
                + "this run adds their history")
        var whole = request
        whole.range = .full
        _ = try await export(only, whole, stream, now: now, at: place)
    }

    /// Milliseconds after a bookmark within which records may be read again: the overlap, and 2 s because a
    /// modification time may be a second earlier than the creation time.
    private static func allowance(_ stream: ExportStream) -> Int64 { (stream.overlap ?? 0) + 2000 }

    /// Runs the plan of a range: an unfinished one of an earlier run, or a new one.
    ///
    /// - Returns: the end of a resumed plan that ends before the requested range does; nil when the range is complete.
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
            if plan.windows.count > 1, target.directory != nil, !request.appends, !names.distinguishesWindows {
                throw ExportError.name(.missing("{window}"), template: names.text)
            }
        }
        if target.directory != nil, names.has(.date), day == nil,
            plan.windows.contains(where: { window in
                window.window.from.map { window.window.to - $0 > Self.longestDay } ?? false
            })
        {
            environment.diagnostics.detail(
                "files of \(resource.name) cover more than one day and {date} is the last; for a file per day, add "
                    + "--window 1d")
        }
        let wasRead = plan.windows.allSatisfy(\.isDone)
        let known = plan.skipsKnownRecords ? try await target.store.knownRecords(of: stream.place) : [:]
        do {
            try await exportWindows(of: plan, resource, stream, known: known, day: exported(day), at: place)
        } catch let error as ExportError {
            // With the same end, every run would fail on the same name: let the next run make a new plan.
            switch error {
            case .nameTaken, .dayTaken, .formConflict, .alreadyAdded: try await target.store.drop(plan)
            default: break
            }
            throw error
        }
        // Before the plan is deleted, which identifies these files.
        try await target.removeSuperseded()
        let done = try await target.store.plan(key, of: stream.place) ?? plan
        guard resource.partsOnly == nil else {
            if let bookmark = stream.bookmark {
                try await target.store.complete(
                    done, of: stream.place, parts: resource.parts.map(\.name),
                    // A resumed plan was made with an earlier bookmark.
                    reached: underWay == nil ? bookmark : min(bookmark, done.finish - Self.allowance(stream)))
            }
            return nil
        }
        var end = end(of: done, resource, stream)
        end.parts = try await completeParts(resource, request, stream)
        try await target.store.complete(done, of: stream.place, end, now: environment.clock.wall())
        results.change(place) { $0.newest = [$0.newest, done.newest].compactMap(\.self).max() }
        guard underWay != nil else { return nil }
        if let day = exported(day) { return plan.finish < min(day.end, now) ? plan.finish : nil }
        // A resource exported in full was read just now, unless the earlier run had already read it.
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

    /// The unfinished plan of an earlier run for a range; nil when there is none to resume.
    private func underWay(
        _ key: String, _ request: ExportRequest, _ stream: ExportStream
    ) async throws -> ExportPlan? {
        guard var plan = try await target.store.plan(key, of: stream.place) else { return nil }
        guard let directory = target.directory else {
            // Output that a failed run wrote to a pipe may be lost, so start over.
            if ServiceExport.isMeant(plan) { return try await target.store.restart(plan) }
            try await target.store.drop(plan)
            return nil
        }
        // Files of an incremental run may be taken away by their consumer; any other range must be complete.
        guard !plan.skipsKnownRecords else { return plan }
        for index in plan.windows.indices where plan.windows[index].isDone {
            for path in try await target.store.paths(of: plan.windows[index].window, of: stream.place)
            where try directory.size(of: path) == nil {
                plan.windows[index].isDone = false
            }
            if !plan.windows[index].isDone { try await target.store.reopen(index, of: plan) }
        }
        return plan
    }

    /// Names of the parts whose history is complete up to the next bookmark.
    private func completeParts(
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

    /// Exports the windows that are not done yet. Each one is recorded as done once it is published.
    func exportWindows(
        of plan: ExportPlan, _ resource: ResourcePlan, _ stream: ExportStream,
        known: [String: ExportedVersions.Version], day: ExportedDay?, at place: Int
    ) async throws {
        let results = results
        let windowExport = WindowExport(
            request: request, resource: resource, merchant: merchant, target: target, stream: stream, names: names,
            day: day, beginning: try await beginning(of: resource, stream, plan), environment: environment)
        results.change(place) { entry in
            entry.windows = plan.windows.count
            entry.windowsDone = plan.windows.count { $0.isDone }
        }
        var plan = plan
        if let day, plan.finish < day.end {
            environment.diagnostics.notice(
                "\(day.date) is not over: exporting \(resource.name) up to "
                    + "\(InstantText.utc(milliseconds: plan.finish)); the next run for that day replaces the file")
        }
        let record = PlanRecorder(plan, of: stream, in: target.store)
        // A plan of service exports is recorded first: the requests for it are stored with it.
        if plan.windows.isEmpty || ServiceExport.isMeant(plan) {
            try await record.write()
            plan = await record.plan
        }
        var failed: [PlannedWindow] = []
        var failure: (any Error)?
        var consecutiveFailures = 0
        var skippedWindows: [String: Int] = [:]
        for index in plan.windows.indices where !plan.windows[index].isDone {
            let window = plan.windows[index].window
            do {
                let outcome = try await windowExport.run(
                    window, of: plan, known: known, record: record
                ) { progress in
                    results.change(place) { $0.underWay = progress }
                }
                let written = await record.plan
                (plan.place, plan.filesBefore) = (written.place, written.filesBefore)
                try await target.store.finish(index, of: plan, in: stream, outcome.end)
                try await target.listFiles()
                plan.windows[index].isDone = true
                plan.newest = [plan.newest, outcome.end.newest].compactMap(\.self).max()
                consecutiveFailures = 0
                for path in outcome.skippedFiles { skippedWindows[path, default: 0] += 1 }
                results.change(place) { entry in
                    entry.records += Int(outcome.end.records)
                    entry.files += outcome.end.files.count
                    entry.bytes += outcome.bytes
                    entry.windowsDone += 1
                    entry.endWindow()
                }
                reportProgress(place)
            } catch let error where Self.concernsOneWindow(error) {
                // Continue with the others: only whole windows are published, and the bookmark stays before this one.
                results.change(place) { $0.endWindow() }
                failure = failure ?? error
                failed.append(window)
                consecutiveFailures += 1
                if consecutiveFailures == Self.maximumConsecutiveFailures { break }
            }
        }
        for (path, count) in skippedWindows.sorted(by: { $0.key < $1.key }) {
            let windows = count == 1 ? "1 window" : "\(count) windows"
            environment.diagnostics.warning("\(path) already contains \(windows) of this range; not added again")
        }
        guard let failure else { return }
        let done = plan.windows.count { $0.isDone }
        // The advice for an incomplete list on standard output does not apply to an export.
        let isIncomplete = if case CoreError.incomplete = failure { true } else { false }
        guard done > 0 || isIncomplete else { throw failure }
        throw ExportFailure.windowsMissing(
            ExportFailure.WindowsMissing(
                resource: resource.name, spans: Self.spans(failed),
                untried: Self.spans(
                    plan.windows.filter { !$0.isDone && !failed.contains($0.window) }.map(\.window)),
                windows: plan.windows.count, done: done,
                isResumable: target.directory != nil, cause: Self.cause(failure), mayHelpToRetry: !isIncomplete))
    }

    /// Creation time of the list's oldest record, for modification windows that are read by creation time. It is
    /// looked up once and stored.
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

    /// Merges adjacent windows.
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
        case ServiceError.unreadable: "a response that is not a page of records"
        case CoreError.incomplete(let shortfall): shortfall.brief
        default: "incomplete"
        }
    }

    private static func concernsOneWindow(_ error: any Error) -> Bool {
        switch error {
        case ServiceError.failed, ServiceError.unreadable, CoreError.incomplete: true
        default: false
        }
    }

    private func reportProgress(_ place: Int) {
        let entry = results.resources[place]
        environment.diagnostics.detail(
            "\(entry.name): window \(entry.windowsDone) of \(entry.windows), \(entry.records) records")
    }

    private func end(
        of plan: ExportPlan, _ resource: ResourcePlan, _ stream: ExportStream
    ) -> ExportStore.PlanEnd {
        let isDay = plan.request.hasPrefix("day=") || plan.request.hasPrefix(ServiceExport.mark + "day=")
        var end = ExportStore.PlanEnd(
            bookmark: nil, coveredTo: min(plan.finish, plan.startedAt), isRegular: plan.skipsKnownRecords || isDay)
        guard !isDay, resource.tracking.field != nil, let start = plan.start else { return end }
        guard isOwnForm(stream) || request.range == .full else {
            // This run did not export the records in the form that is kept.
            end.coveredTo = nil
            return end
        }
        end.form = request.form
        end.changesForm = !isOwnForm(stream)
        if ServiceExport.isPart(plan), stream.bookmark != nil {
            // Records created before the range and changed within it are not included.
            end.coveredTo = nil
            return end
        }
        let overlap = request.effectiveOverlap
        // Not the end of the run when there were no records: a wrong clock must not hide later ones.
        guard let bookmark = stream.bookmark, isOwnForm(stream) else {
            end.bookmark = plan.newest.map { min(plan.finish, $0) - overlap } ?? start
            end.overlap = overlap
            return end
        }
        if start > bookmark {
            // There is a gap between the bookmark and this range.
            end.coveredTo = nil
            end.form = nil
            return end
        }
        // The range ends at or before the bookmark, so it does not move it.
        if plan.finish <= bookmark { return end }
        // A longer overlap than before moves the bookmark back, at most to the start of this run's range.
        let least = max(stream.bookmark(overlap: overlap) ?? bookmark, start)
        let next = plan.newest.map { min(plan.finish, $0) - overlap } ?? least
        end.bookmark = max(next, least)
        end.overlap = next > least ? overlap : (stream.overlap ?? overlap) + bookmark - least
        return end
    }
}

import CloverAPI
import CloverAuth
import CloverCore
import CloverExport
import CloverJSON
import CloverOutput
import CloverTables

/// Exports one resource of one merchant: first the rest of a run that was killed, then what changed since.
struct ResourceExport: Sendable {
    let request: ExportRequest
    let merchant: ExportMerchant
    let target: any ExportDestination
    var names: NameTemplate
    let results: ExportResults
    let environment: CommandEnvironment
    var resource: ResourcePlan
    /// Index of the resource in the results.
    let place: Int
    /// Start, in milliseconds since 1970.
    let now: Int64
    /// What is known of the resource at the destination.
    var stream: ExportStream
    /// The default columns of the resource's outputs by name; none for a format without columns, and for chosen fields.
    private(set) var columns: [String: [FieldPath]] = [:]

    /// Whether no resource of the run has files that `--name` could name beside a current file.
    var namesNothing = false
    /// Whether the current file was lost, and is made again of all change files.
    var rebuildsCurrent = false

    /// Give up after this many consecutive failed windows.
    private static let maximumConsecutiveFailures = 2
    /// Longest possible local day in milliseconds: 25 h, when clocks go back.
    private static let longestDay: Int64 = 25 * 3_600_000

    /// Exports every requested record, or throws.
    mutating func run() async throws {
        try await prepareCurrent()
        columns = try await defaultColumns()
        if !request.isRepair { stream.form = try await form() }
        do {
            let comesAgain = try await exportMissing()
            guard comesAgain || !request.isRepair else {
                try await target.updateCurrent(self)
                return results.change(place) { $0.isDone = true }
            }
            // A resumed plan ends at the bookmark of its start, so a second pass covers the rest.
            for _ in 0..<2 { try await exportPartHistory() }
            if let end = try await export(request.range.selection) {
                // The resumed plan ended where its own run started; export what changed since.
                var rest = self
                rest.stream = try await target.store.stream(stream.place)
                _ = try await rest.export(rest.selection(after: end))
            }
            try await target.updateCurrent(self)
        } catch {
            throw try await TokenDiagnosis(merchant.connection, in: environment).explained(error, at: resource.path)
        }
        let secondsBehind = merchant.client.secondsBehind
        if resource.tracking.field != nil, request.range.until == nil, !request.range.selection.isDay,
            secondsBehind * 1000 > RangePlan.clockSlack
        {
            throw ExportError.clockSlow(resource: resource.name, end: now, seconds: secondsBehind)
        }
        results.change(place) { $0.isDone = true }
    }

    /// Whether the resource has a current file that is made of change files. A list that is exported in full is its own.
    var keepsCurrent: Bool { resource.tracking.field != nil && stream.keepsCurrent }

    /// A destination that once had a current file of the resource keeps it up to date in every run.
    private mutating func prepareCurrent() async throws {
        // Before a file is published, so that later runs with other names know it, whatever becomes of this one.
        let begins = try await beginsCurrent()
        guard request.keepsCurrent || stream.keepsCurrent || begins else { return }
        if let conflict = currentConflict { throw ExportError.currentForm(resource: resource.name, conflict) }
        if !stream.keepsCurrent {
            try await target.store.keepCurrent(of: stream.place)
            stream.keepsCurrent = true
        }
        if request.nameTemplate == nil {
            names = try request.usualNames(besideCurrent: request.keepsCurrent || resource.tracking.field != nil)
                .with(current: request.currentNames)
        } else {
            names = names.with(current: request.currentNames)
        }
    }

    /// Why the options exclude the resource's current file; nil when they do not.
    private var currentConflict: String? {
        guard resource.tracking.field == nil else { return request.currentConflict }
        // A list that is exported in full is written as a whole in any form.
        guard !request.isRepair else { return nil }
        if request.appends {
            return "it is replaced as a whole when anything in the list changes, so --append does not apply, nor --name"
        }
        guard namesNothing, stream.keepsCurrent, !request.keepsCurrent, !request.range.selection.isDay else {
            return nil
        }
        return "it keeps its name when it is replaced as a whole, so --name does not apply"
    }

    /// Whether this run begins an export of a list in full, which is one current file by default.
    private func beginsCurrent() async throws -> Bool {
        guard resource.tracking.field == nil, target.keepsFiles, request.nameTemplate == nil, !request.appends,
            !request.range.selection.isDay, stream.succeededAt == nil, stream.content == nil
        else { return false }
        return try await !target.store.hasFiles(of: stream.place)
    }

    /// The range that remains after the end of a resumed plan. Where other runs advanced the bookmark meanwhile, it
    /// includes their records.
    private func selection(after end: Int64) -> ExportRange.Selection {
        if request.range.selection.isDay { return request.range.selection }
        if request.range.selection == .last || resource.tracking.field == nil { return .last }
        if isOwnForm, let bookmark = stream.bookmark, bookmark <= end { return .last }
        return .since(InstantText.utc(milliseconds: end - request.range.effectiveOverlap))
    }

    /// Makes sure that incremental runs keep one form: with two forms, each would get only a part of the changes.
    ///
    /// - Returns: the form of the incremental runs.
    /// - Throws: `ExportError.formChanged`.
    private func form() async throws -> ExportForm? {
        guard request.range.selection == .last, resource.tracking.field != nil, !isOwnForm || stream.form == nil else {
            return stream.form
        }
        if let kept = stream.form {
            // A first run that exported nothing yet may be resumed in any form.
            var hasBegun = stream.bookmark != nil
            if !hasBegun, target.keepsRecords { hasBegun = try await target.store.hasBegun(stream.place) }
            guard !hasBegun else {
                throw ExportError.formChanged(
                    resource: resource.name, place: target.name, kept: kept.words, asked: request.form.words)
            }
        }
        try await target.store.keep(request.form, of: stream.place)
        return request.form
    }

    /// Default columns of the records and of each part: those with which the destination's files in this form began.
    private func defaultColumns() async throws -> [String: [FieldPath]] {
        guard request.format.format?.hasColumns ?? false else { return [:] }
        var columns: [String: [FieldPath]] = [:]
        if request.format.fields.isEmpty {
            // A list that is exported in full has no form, but a checksum.
            let hasBegun =
                stream.form?.choice == request.form.choice
                || stream.form == nil && stream.content != nil && !target.keepsRecords
            columns[resource.name] = try await storedColumns(
                of: resource.name, request, hasBegun: hasBegun,
                current: try .of(resource.path.endpoint, expand: request.expand),
                original: RecordSchema.originalColumns(ofModel: resource.path.endpoint?.model))
        }
        for part in resource.parts where request.fields[resource.name(of: part)] == nil {
            let name = resource.name(of: part)
            columns[name] = try await storedColumns(
                of: name, request.ofPart(name), hasBegun: false, current: try part.schema,
                original: RecordSchema.originalColumns(ofModel: part.model))
        }
        return columns
    }

    private func storedColumns(
        of name: String, _ request: ExportRequest, hasBegun: Bool, current: RecordSchema, original: [RecordColumn]
    ) async throws -> [FieldPath] {
        let paths = try await target.store.columns(
            of: name, in: stream.place, form: request.form.choice, choice: request.fileChoice, hasBegun: hasBegun,
            current: current.columns(named: request.format.names == .names).map(\.path.text),
            original: original.map(\.path.text))
        return try paths.map { text throws(FieldPathError) in try FieldPath(parsing: text) }
    }

    /// Whether this run writes the form of the incremental runs, as far as that is known.
    private var isOwnForm: Bool { stream.hasForm(request.form) }

    /// Exports the history of parts that were not requested when the records were exported.
    private func exportPartHistory() async throws {
        guard request.range.selection == .last, request.range.until == nil, resource.tracking.field != nil,
            !resource.parts.isEmpty, let bookmark = stream.bookmark
        else { return }
        let known = try await target.store.parts(of: stream.place)
        let behind = resource.parts.map(\.name).filter { !isInStep(known[$0], with: bookmark) }
        guard !behind.isEmpty else { return }
        let ends = behind.map { known[$0] }
        // Up to the point before which the next incremental run exports nothing again.
        var history = self
        history.resource = resource.only(
            behind, from: ends.contains(nil) ? nil : ends.compactMap(\.self).min(), to: bookmark + allowance)
        environment.diagnostics.notice(
            "earlier runs did not export \(behind.joined(separator: ", ")) of \(resource.name); "
                + "this run adds their history")
        _ = try await history.export(.full)
    }

    /// Whether a part that is exported up to a time lacks nothing that the next run for changes would skip. A longer overlap
    /// may have moved the bookmark back behind the part.
    private func isInStep(_ reached: Int64?, with bookmark: Int64) -> Bool {
        reached.map { $0 == bookmark || $0 >= bookmark + allowance } ?? false
    }

    /// Milliseconds after a bookmark within which records may be read again: the overlap, and 2 s because a
    /// modification time may be a second earlier than the creation time.
    private var allowance: Int64 { (stream.overlap ?? 0) + 2000 }

    /// Runs the plan of a range: an unfinished one of an earlier run, or a new one.
    ///
    /// - Parameter selection: what to export in place of the requested range.
    /// - Returns: the end of a resumed plan that ends before the range does; nil when the range is complete.
    private func export(_ selection: ExportRange.Selection) async throws -> Int64? {
        var range = request.range
        range.selection = selection
        let days = try merchant.businessDays(of: range, now: now)
        let ranges = RangePlan(
            resource, range, choice: request.filesChoice, merchantID: merchant.merchantID, zone: merchant.zone, stream,
            now: now)
        let key = ranges.key(days: days)
        var underWay = try await target.store.plan(key, of: stream.place)
        if let found = underWay { underWay = try await target.resumed(found, of: stream) }
        let plan: ExportPlan
        if let underWay {
            plan = underWay
        } else {
            plan = try await ranges.plan(days: days, names) {
                try await resource.beginning(of: merchant, environment.diagnostics)
            }
            if plan.windows.count > 1, target.keepsFiles, !request.appends, !names.distinguishesWindows {
                throw ExportError.name(.missing("{window}"), template: names.text)
            }
        }
        if target.keepsFiles, names.has(.date), days == nil,
            plan.windows.contains(where: { window in
                window.from.map { window.to - $0 > Self.longestDay } ?? false
            })
        {
            environment.diagnostics.detail(
                "files of \(resource.name) cover more than one day and {date} is the last; for a file per day, add "
                    + "--window 1d")
        }
        noteBookmark(underWay == nil ? selection : .full)
        let wasRead = plan.remaining.isEmpty
        let known = plan.skipsKnownRecords ? try await target.store.knownRecords(of: stream.place) : [:]
        do {
            try await exportWindows(of: plan, known: known, days: exported(days))
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
                    reached: underWay == nil ? bookmark : min(bookmark, done.finish - allowance))
                try await target.completed(stream, isFull: false, coverage: nil)
            }
            return nil
        }
        var end = done.end(
            stream, form: request.form, isFull: request.range.selection == .full,
            overlap: request.range.effectiveOverlap, isTracked: resource.tracking.field != nil)
        end.parts = try await completeParts(selection)
        if readsEverything(selection) { end.superseded = keyOfFull() }
        if request.marksDeleted, selection == .full { try await target.markDeleted(done, self) }
        try await target.store.complete(done, of: stream.place, end, now: environment.clock.wall())
        try await target.completed(
            stream, isFull: selection == .full, coverage: coverage(of: done, selection, to: end.coveredTo))
        results.change(place) { $0.newest = [$0.newest, done.newest].compactMap(\.self).max() }
        guard underWay != nil else { return nil }
        if let day = exported(days).last { return plan.finish < min(day.end, now) ? plan.finish : nil }
        // A resource exported in full was read just now, unless the earlier run had already read it.
        if resource.tracking.field == nil, wasRead { return plan.finish }
        let isShort =
            try resource.tracking.field != nil
            && plan.finish < range.times(now: now, zone: merchant.zone).finish
        return isShort ? plan.finish : nil
    }

    /// Whether a run without `--full` exports everything that one with it would: the first one, and each one of a list
    /// without times to a destination that keeps no deleted records.
    private func readsEverything(_ selection: ExportRange.Selection) -> Bool {
        guard selection == .last, request.range.until == nil else { return false }
        return resource.tracking.field == nil ? target.keepsFiles : stream.bookmark == nil
    }

    /// The key of a run with `--full` and the same options otherwise.
    private func keyOfFull() -> String {
        var range = request.range
        range.selection = .full
        return RangePlan(
            resource, range, choice: request.filesChoice, merchantID: merchant.merchantID, zone: merchant.zone, stream,
            now: now
        ).key(days: nil)
    }

    /// What the records are complete for after a plan.
    ///
    /// - Parameter end: nil if the plan does not continue what is there.
    private func coverage(
        of plan: ExportPlan, _ selection: ExportRange.Selection, to end: Int64?
    ) -> TableCoverage? {
        guard let end, !selection.isDay else { return nil }
        let moved = resource.parts.filter { !$0.staysInRecord }.compactMap(\.member)
        let expand = Set(request.expand).filter { name in !moved.contains { name == $0 || name.hasPrefix($0 + ".") } }
        let isTracked = resource.tracking.field != nil
        var start: Int64?
        if isTracked, case .since = selection { start = plan.start }
        return TableCoverage(
            from: start, to: end, expand: expand,
            isWhole: !isTracked || selection == .full || stream.bookmark == nil)
    }

    /// Says that standard output, too, gets only what changed since the last run, which people who redirect it to a file may
    /// not expect.
    private func noteBookmark(_ selection: ExportRange.Selection) {
        guard selection == .last, !request.range.isSinceLast, !target.keepsRecords, resource.partsOnly == nil,
            let since = stream.bookmark ?? (stream.content == nil ? nil : stream.succeededAt)
        else { return }
        environment.diagnostics.warning(
            "\(resource.name): only what changed since \(InstantText.utc(milliseconds: since)), the last run to standard "
                + "output; for everything, add --full, or use 'clover get \(resource.name) --all'; for the changes without "
                + "this message, add --since last")
    }

    private func exported(_ days: BusinessDays?) -> [ExportedDay] {
        guard let days, let zone = merchant.zone else { return [] }
        return days.all.map { ExportedDay(date: $0.date, end: $0.bounds(in: zone).to) }
    }

    /// Names of the parts whose history is complete up to the next bookmark.
    private func completeParts(_ selection: ExportRange.Selection) async throws -> [String] {
        let names = resource.parts.map(\.name)
        guard let bookmark = stream.bookmark, selection != .full else { return names }
        let known = try await target.store.parts(of: stream.place)
        return names.filter { isInStep(known[$0], with: bookmark) }
    }

    /// Exports the windows that are not done yet. Each one is recorded as done once it is published.
    ///
    /// - Parameter days: the business days of the windows, in order; empty for any other range.
    func exportWindows(
        of plan: ExportPlan, known: [String: ExportedVersions.Version], days: [ExportedDay]
    ) async throws {
        let (results, place) = (results, place)
        let beginning = try await beginning(of: plan)
        var largestPage = 0
        results.change(place) { entry in
            entry.windows = plan.windows.count
            entry.windowsDone = plan.done.count
        }
        var plan = plan
        if let day = days.last, plan.finish < day.end {
            environment.diagnostics.notice(
                "\(day.date) is not over: exporting \(resource.name) up to "
                    + "\(InstantText.utc(milliseconds: plan.finish)); the next run for that day replaces the file")
        }
        // A plan of service exports is stored first: the requests for it are stored with it.
        if plan.place == 0, plan.windows.isEmpty || plan.isOfExportAPI {
            plan = try await target.store.add(plan, to: stream.place)
        }
        var failed: [PlannedWindow] = []
        var failure: (any Error)?
        var consecutiveFailures = 0
        var skippedWindows: [String: Int] = [:]
        for index in plan.remaining {
            let from = plan.windows[index].from ?? .min
            let window = WindowExport(
                self, plan.windows[index], of: plan, day: days.first { from < $0.end }, known: known)
            defer { (plan.place, plan.filesBefore) = (window.plan.place, window.plan.filesBefore) }
            do {
                var outcome = try await window.run(beginning: beginning, largestPage: &largestPage) { progress in
                    results.change(place) { $0.underWay = progress }
                }
                outcome.end.revision = try await target.commit(index, window)
                try await target.store.finish(index, of: window.plan, in: stream, outcome.end)
                try await target.listFiles()
                plan.done.insert(index)
                plan.newest = [plan.newest, outcome.end.newest].compactMap(\.self).max()
                consecutiveFailures = 0
                for path in outcome.skippedFiles { skippedWindows[path, default: 0] += 1 }
                results.change(place) { entry in
                    entry.records += Int(outcome.end.records)
                    entry.files += outcome.end.files.count { $0.role != .failed }
                    entry.bytes += outcome.bytes
                    entry.failed += outcome.failed
                    entry.firstFailure = entry.firstFailure ?? outcome.firstFailure
                    entry.windowsDone += 1
                    entry.endWindow()
                }
                let entry = results.resources[place]
                environment.diagnostics.detail(
                    "\(entry.name): window \(entry.windowsDone) of \(entry.windows), \(entry.records) records")
            } catch let error where Self.concernsOneWindow(error) {
                // Continue with the others: only whole windows are published, and the bookmark stays before this one.
                results.change(place) { $0.endWindow() }
                failure = failure ?? error
                failed.append(window.window)
                consecutiveFailures += 1
                if consecutiveFailures == Self.maximumConsecutiveFailures { break }
            }
        }
        for (path, count) in skippedWindows.sorted(by: { $0.key < $1.key }) {
            let windows = count == 1 ? "1 window" : "\(count) windows"
            environment.diagnostics.warning("\(path) already contains \(windows) of this range; not added again")
        }
        guard let failure else { return }
        let done = plan.done.count
        // The advice for an incomplete list on standard output does not apply to an export.
        let isIncomplete = if case CoreError.incomplete = failure { true } else { false }
        guard done > 0 || isIncomplete else { throw failure }
        throw ExportFailure.windowsMissing(
            ExportFailure.WindowsMissing(
                resource: resource.name, spans: Self.spans(failed),
                untried: Self.spans(plan.remaining.map { plan.windows[$0] }.filter { !failed.contains($0) }),
                windows: plan.windows.count, done: done,
                isResumable: target.keepsRecords, cause: Self.cause(failure), mayHelpToRetry: !isIncomplete))
    }

    /// Creation time of the list's oldest record, for modification windows that are read by creation time. It is
    /// looked up once and stored.
    private func beginning(of plan: ExportPlan) async throws -> Int64? {
        guard resource.isReadFromBeginning else { return nil }
        var beginning = plan.beginning
        if beginning == nil {
            let field = resource.tracking.field
            guard !plan.isOfExportAPI, plan.remaining.contains(where: { plan.windows[$0].field == field })
            else { return nil }
            if let known = try await target.store.stream(stream.place).beginning { return known }
            beginning = try await resource.beginning(of: merchant, environment.diagnostics)
        }
        if let beginning { try await target.store.keep(beginning: beginning, of: stream.place) }
        return beginning
    }

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
        case ServiceError.failed(let status, _, _, _, _): "\(status)"
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
}

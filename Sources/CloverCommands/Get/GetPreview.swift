import CloverAPI
import CloverAuth
import CloverCore
import CloverHTTP
import CloverJSON
import CloverOutput
import CloverRateLimit

/// What `clover get` would request. No request for records is sent; the merchant's time zone is requested where a date
/// needs it.
struct GetPreview: Sendable {
    let request: GetRequest
    let environment: CommandEnvironment

    /// The first request for records as a curl command.
    func firstRequest() async throws -> CurlCommand {
        let (connection, plan, preview, _) = try await prepare()
        return try CurlCommand(
            ServiceRequest(.get, preview.url), to: plan.path.endpoint, showsSensitive: request.showsSensitive,
            certificateFile: connection.certificateFile, notes: Self.notes(preview), environment.diagnostics)
    }

    /// Prints the first request for records, in the form of a write's dry run: text on a terminal, otherwise JSON.
    func show() async throws -> FilterReport {
        let (_, plan, preview, _) = try await prepare()
        // Omit the format option, which is for records.
        let printing = RecordPrinting(
            program: request.program, isJSON: request.isJSON, slurp: request.slurp, compilesFirst: true)
        let mask = RequestMasker(
            plan.path.endpoint, showsSensitive: request.showsSensitive, environment.diagnostics)
        let output = try await PreviewOutput(printing, mask, in: environment)
        try await output.show(RequestPreview(request: ServiceRequest(.get, preview.url), line: nil))
        for note in Self.notes(preview) { environment.diagnostics.notice(note) }
        return try await output.finish()
    }

    private static func notes(_ preview: RunPreview) -> [String] {
        (preview.callsAtMost == 1
            ? [] : ["this is only the first request for records; a full run may send more (see --explain)"])
            + (preview.localFields.isEmpty ? [] : [localFilterNote(preview)])
    }

    /// Says that the tool filters.
    static func localFilterNote(_ preview: RunPreview) -> String {
        let fields = preview.localFields.joined(separator: ", ")
        return "the service does not filter this list by \(fields): clover reads it and filters it"
    }

    /// How many calls the run takes, and how long at the current budget.
    func explanation() async throws -> Explanation {
        var (connection, plan, preview, facts) = try await prepare()
        let format = try GetRecords.format(request, plan, in: environment)
        let writesFacts = request.isComplete && (format.map { $0.needsTimeZone || $0.needsCurrency } ?? false)
        let usesFacts = try GetPlan.asksForZone(request) || writesFacts && request.zone != .utc
        let kept = await MerchantSettingsCache(
            connection.merchantID, try connection.makeClient(retries: 0, in: environment), in: environment
        ).settings(at: environment.clock.wall())
        // What was requested for this explanation is kept for the run.
        let requestsFacts = usesFacts && kept == nil
        if requestsFacts {
            preview.callsAtLeast += 1
            preview.callsAtMost? += 1
        }
        let lists = format.map { ReferenceNames.lists($0, ofModel: plan.path.endpoint?.model) } ?? []
        if !lists.isEmpty { preview.callsAtMost = nil }
        return Explanation(
            path: plan.path.display, preview: preview, requestsFacts: requestsFacts,
            zone: try GetPlan.needsZone(request)
                ? ExplainedZone(request.format, facts ?? kept, now: environment.clock.wall()) : nil,
            names: NamedList.allCases.filter(lists.contains),
            isEverything: plan.pages.map { $0.limit == nil } ?? false,
            budget: try await connection.budget(request.effectivePacing, in: environment))
    }

    private func prepare() async throws -> (Connection, GetPlan, RunPreview, MerchantSettings?) {
        let connection = try await GetPlan.connection(request, in: environment)
        let now = environment.clock.wall()
        let client = try connection.makeClient(retries: 0, in: environment)
        let (plan, facts) = try await GetPlan.located(request, connection, client, now: now, in: environment)
        for filter in plan.unlisted {
            environment.diagnostics.notice(
                "\(plan.path.display): the catalogue lacks the filter \(filter.name); the run asks Clover about it first"
            )
        }
        let pager = RecordPager(
            client: client, path: plan.path, query: plan.query,
            isChecked: request.isChecked, now: now)
        guard request.isComplete else {
            return (connection, plan, pager.previewOfAnswer(limit: request.limit, offset: request.offset), facts)
        }
        return (connection, plan, try pager.preview(plan: plan.pages), facts)
    }
}

/// How many calls a run takes, and how long at the current budget (`--explain`): a lower bound, and an upper bound where
/// it does not depend on the responses.
struct Explanation: Sendable, Equatable {
    let path: String
    let preview: RunPreview
    /// Whether the run first requests the merchant's time zone and currency.
    let requestsFacts: Bool
    /// The time zone of the dates in the request; nil if it has none.
    let zone: ExplainedZone?
    /// The lists that are read for their names, if records refer to them.
    let names: [NamedList]
    /// Whether all records are requested, however many there are.
    let isEverything: Bool
    let budget: LedgerBudget

    private var secondsAtLeast: Double { Self.seconds(budget.wait(for: preview.callsAtLeast)) }

    private var secondsAtMost: Double? { preview.callsAtMost.map { Self.seconds(budget.wait(for: $0)) } }

    /// One line of JSON, with a newline.
    var json: String {
        var line = JSONLine()
        line.add("path", path)
        line.add("method", "GET")
        line.add("url", Redaction.url(preview.url))
        line.add("callsAtLeast", Int64(preview.callsAtLeast))
        line.add("callsAtMost", preview.callsAtMost.map(Int64.init))
        line.add("recordsPerFurtherCall", preview.recordsPerCall.map(Int64.init))
        line.add("windows", preview.windows.map(Int64.init))
        line.add("waitAtLeast", json: Self.number(secondsAtLeast))
        line.add("waitAtMost", json: secondsAtMost.map(Self.number) ?? "null")
        line.add("zone", zone?.name)
        line.add("zoneSource", zone?.source.rawValue)
        line.add("notes", notes)
        var now = JSONLine()
        now.add("perSecond", Int64(budget.limits.requestsPerSecond))
        now.add("granted", Int64(budget.granted))
        now.add("ahead", Int64(budget.ahead))
        now.add("free", Int64(budget.free))
        now.add("inFlight", Int64(budget.underWay))
        now.add("limitInFlight", Int64(budget.limits.inFlight))
        now.add("othersWait", budget.hasWaiters)
        now.add("pauseLeft", json: budget.pause.map { Self.number(Self.seconds($0)) } ?? "null")
        now.add("pauseCause", budget.pauseCause)
        line.add("budget", json: now.text)
        return line.text + "\n"
    }

    var text: String {
        let limits = budget.limits
        var lines = ["\(path): GET \(Redaction.url(preview.url))", "calls: \(calls)"]
        lines += notes.map { "  \($0)" }
        lines.append("time:  \(time)")
        let waiting = budget.hasWaiters ? ", other processes are waiting" : ""
        lines.append(
            "budget now: \(budget.free) of \(limits.requestsPerSecond) calls free in this second, "
                + "\(budget.underWay) of \(limits.inFlight) requests in flight\(waiting)")
        if let pause = budget.pause {
            let cause = budget.pauseCause.map { " (\($0))" } ?? ""
            lines.append(
                "the service limits requests\(cause): no requests for \(ServiceEventText.rounded(Self.seconds(pause))) s"
            )
        }
        return
            (lines
            + [zone?.source == .service ? "only the merchant's time zone was requested" : "nothing was sent"]).map {
                Diagnostics.printable($0) + "\n"
            }.joined()
    }

    private var calls: String {
        func count(_ number: Int) -> String { number == 1 ? "1 call" : "\(number) calls" }
        if preview.callsAtMost == preview.callsAtLeast { return count(preview.callsAtLeast) }
        if let most = preview.callsAtMost { return "\(preview.callsAtLeast) to \(count(most))" }
        return "at least " + count(preview.callsAtLeast)
            + (isEverything || !preview.localFields.isEmpty
                ? preview.recordsPerCall.map { "; then one for each \($0) records" } ?? "" : "")
    }

    private var time: String {
        let rate = "at most \(budget.limits.requestsPerSecond) calls a second"
        let least = ServiceEventText.rounded(secondsAtLeast)
        if let most = secondsAtMost.map(ServiceEventText.rounded) {
            return (most == least ? "\(least) s" : "\(least) to \(most) s") + " waiting for the budget, \(rate)"
        }
        return "at least \(least) s waiting for the budget, \(rate)"
    }

    private var notes: [String] {
        var notes = [zone?.sentence].compactMap(\.self)
        if requestsFacts { notes.append("one call gets the merchant's time zone and currency") }
        if !names.isEmpty {
            notes.append(
                "names of \(names.map(\.words).joined(separator: ", ")): two calls for each list, and more for a long one, "
                    + "when a record first needs it")
        }
        if preview.asksForBeginning {
            notes.append(
                "one call finds how far back records go; then at least one for each 89 days since then, because "
                    + "the service returns at most 90 days at a time")
        } else if let windows = preview.windows, windows > 1 {
            notes.append(
                "\(windows) windows of 89 days (the first and last may be shorter, one in the future longer), because the "
                    + "service returns at most 90 days at a time")
        }
        if !preview.localFields.isEmpty {
            notes.append(GetPreview.localFilterNote(preview))
            notes.append(
                preview.mayEndEarly
                    ? "reading ends as soon as the order of the list proves that no later record matches; one call "
                        + "checks that the service sorts it"
                    : "the whole list is read, because its order does not show that no later record matches")
        }
        if preview.mayCompleteLists {
            notes.append(
                "lists inside records that arrive with 100 entries are read separately: further calls, number unknown"
            )
        }
        return notes
    }

    private static func seconds(_ duration: Duration) -> Double { duration / .seconds(1) }

    /// Seconds, rounded to the millisecond.
    private static func number(_ seconds: Double) -> String { "\((seconds * 1000).rounded() / 1000)" }
}

import CloverAPI
import CloverAuth
import CloverCore
import CloverExport
import CloverFeed
import CloverOutput
import CloverSystem
import Synchronization

/// Runs `clover follow`.
struct FollowRun: Sendable {
    private let request: FollowRequest
    private let environment: CommandEnvironment
    private let notifier: ServiceNotifier
    private let pause = RateLimitPause()
    private let health: FollowHealth

    init(_ request: FollowRequest, in environment: CommandEnvironment) {
        self.request = request
        self.environment = environment
        notifier = ServiceNotifier(variables: environment.variables)
        health = FollowHealth(at: environment.clock.boot())
    }

    /// Follows until the feed is idle.
    ///
    /// - Returns: the exit status.
    func run() async throws -> Int32 {
        let connection = try await connection()
        // Reject a request that makes no sense before creating anything or sending a request.
        let plans = try request.plans(of: connection.merchantID)
        try request.checkFields(plans)
        let client = try connection.makeClient(
            retries: request.maximumRetries, pacing: request.effectivePacing, pause: pause, in: environment)
        let floor = try await floor(connection, client)
        let delivery = FollowDelivery(
            request, try request.schema(plans), client, merchantID: connection.merchantID, health, in: environment)
        try await delivery.check()
        let store = try await FollowState.open(request, connection, in: environment)
        report(store)
        let inspections = try plans.map {
            try RecordInspection(
                $0.path, isEnvelope: false, showsSensitive: request.showsSensitive, validates: false,
                environment.diagnostics)
        }
        let webhooks = FollowWebhooks(
            try environment.stateDirectory(), merchantID: connection.merchantID.description,
            after: try await store.reportedThrough(), in: environment)
        // Noted before anything is read: what is deleted during the first reading is reported after this.
        if let start = await webhooks.start() { _ = try await store.publish([], reportedThrough: start) }
        let lists = try await lists(zip(plans, inspections).map { ($0, $1) }, client, store, floor: floor)
        try await delivery.resume(store)
        notifier.send("READY=1", "STATUS=following \(names)")
        defer {
            notifier.send("STOPPING=1")
            for inspection in inspections { inspection.finish() }
        }
        do {
            try await TimeLimit.run(
                seconds: environment.timeLeft(of: request.maximumTime), sleep: environment.sleep,
                timeRanOut: {
                    CoreError.timeRanOut(
                        seconds: request.maximumTime ?? 0, records: health.delivered,
                        obstacle: pause.obstacle(at: environment.clock.boot()), isWritten: true)
                }
            ) { try await follow(lists, store, delivery, webhooks) }
        } catch let halt as FollowHalt {
            environment.diagnostics.pass(halt.message)
            return halt.status
        } catch {
            guard let path = plans.first?.path else { throw error }
            throw try await TokenDiagnosis(connection, in: environment).explained(error, at: path)
        }
        try request.printing.check(health.report)
        return 0
    }

    private var names: String { request.resources.joined(separator: ", ") }

    /// Without a sign-in, an error in the request itself is reported first.
    private func connection() async throws -> Connection {
        do {
            return try await Connection.resolve(
                request.connection, in: environment.waitingForSignIns(atMost: request.maximumTime, noting: pause))
        } catch let error as CoreError {
            _ = try request.plans(of: "-")
            throw error
        }
    }

    /// The time of `--since` in milliseconds since 1970; nil for now.
    private func floor(_ connection: Connection, _ client: ServiceClient) async throws -> Int64? {
        guard let since = request.since else { return nil }
        var range = ExportRange()
        range.selection = .since(since)
        let zone =
            range.needsZone
            ? try await MerchantSettings.clocks(
                request.format.zone ?? request.format.defaults.zone, of: connection.merchantID, in: environment
            ) { client }.0 : nil
        return try range.times(now: environment.clock.wall(), zone: zone).start
    }

    private func lists(
        _ plans: [(ResourcePlan, RecordInspection)], _ client: ServiceClient, _ store: FeedStore, floor: Int64?
    ) async throws -> [(source: any FeedSource, stream: FeedStream)] {
        var lists: [(source: any FeedSource, stream: FeedStream)] = []
        for (plan, inspection) in plans {
            let rules = FeedRules(
                of: plan, overlap: Int64(request.overlap * 1000),
                completeEvery: request.completeEvery.map { Int64($0 * 1000) })
            let source = ServiceFeedSource(plan, rules, client, mask: { try inspection.pass($0) }) { summary in
                CoreError.incomplete(
                    Shortfall(
                        path: plan.path.display, timeField: plan.historyField, summary: summary, isPrinted: false))
            }
            let stream = try await store.stream(plan.name, rules, floor: floor)
            if let floor, let begun = stream.state.floor, floor < begun {
                environment.diagnostics.notice(
                    "the feed of \(plan.name) began at \(InstantText.utc(milliseconds: begun)); --since counts only for "
                        + "a new feed, such as one with another --state FILE")
            }
            if stream.state.hasBegun, let position = stream.state.position {
                environment.diagnostics.detail(
                    "\(plan.name): continuing from \(InstantText.utc(milliseconds: position))")
            }
            lists.append((source, stream))
        }
        return lists
    }

    private func follow(
        _ lists: [(source: any FeedSource, stream: FeedStream)], _ store: FeedStore, _ delivery: FollowDelivery,
        _ webhooks: FollowWebhooks
    ) async throws {
        var loop = FeedLoop(
            lists, store: store, longest: Int64(request.interval * 1000),
            idleTime: request.idleTime.map { Int64($0 * 1000) }, surroundings(delivery, webhooks))
        guard let limit = notifier.watchdogSeconds else { return try await loop.run() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                while true {
                    // Silent when the loop is stuck, so that the manager restarts this process.
                    if health.isAlive(at: environment.clock.boot()) { notifier.send("WATCHDOG=1") }
                    try await environment.sleep(limit / 3)
                }
            }
            defer { group.cancelAll() }
            try await loop.run()
        }
    }

    /// Longest single wait, so that the watchdog sees the loop.
    private static let longestWait = 30.0

    private func surroundings(_ delivery: FollowDelivery, _ webhooks: FollowWebhooks) -> FeedLoop.Surroundings {
        let clock = environment.clock
        return FeedLoop.Surroundings(
            wall: { clock.wall() }, boot: { clock.boot() },
            wait: { seconds in
                health.step(at: clock.boot())
                return try await webhooks.wait(min(max(seconds, 0), Self.longestWait))
            },
            deliver: { store in
                health.step(at: clock.boot())
                try await delivery.deliver(store)
            },
            mayPass: { error in
                guard case .report(let report) = ErrorReport.ending(of: error) else { return false }
                return [.unavailable, .tryAgain, .nonsense, .incomplete].contains(report.status)
            },
            onNotice: { show($0) })
    }

    private func show(_ notice: FeedNotice) {
        health.step(at: environment.clock.boot())
        switch notice {
        case .gap(let gap, let resource):
            environment.diagnostics.warning(
                "it is not certain that every change of \(resource) was seen: \(Self.words(gap)); "
                    + "reading everything again")
        case .failing(let error, let resource):
            let reason =
                if case .report(let report) = ErrorReport.ending(of: error) { report.message } else { "\(error)" }
            environment.diagnostics.warning("\(resource) cannot be read for now, and is tried again: \(reason)")
        case .recovered(let resource, let milliseconds):
            environment.diagnostics.notice(
                "\(resource) can be read again, after \(DoctorContext.span(Int(milliseconds / 1000)))")
        case .omitted(let count, let resource):
            environment.diagnostics.warning(
                "a complete reading of \(resource) lacked \(count == 1 ? "1 record that is" : "\(count) records that are") "
                    + "there; nothing is reported as deleted for it")
        case .progress: break
        case .read: notifier.send("STATUS=following \(names): \(health.delivered) changes")
        }
    }

    private static func words(_ gap: FeedGap) -> String {
        switch gap {
        case .stateLost: "the state was lost"
        case .clockSetBack(let milliseconds):
            "this machine's clock was set back by \(DoctorContext.span(Int(milliseconds / 1000)))"
        case .reportsMissed: "webhooks about deletions were missed"
        case .outage(let milliseconds):
            "nothing was read for \(DoctorContext.span(Int(milliseconds / 1000))), longer than the list goes back"
        }
    }

    /// Says that the state was lost.
    private func report(_ store: FeedStore) {
        switch store.origin {
        case .new, .known: break
        case .missing:
            environment.diagnostics.warning(
                "the state of this feed is missing, although it was in use: \(store.path); everything comes again, "
                    + "with new numbers. To begin a new feed from now, remove \(store.path) and its .lock file together"
            )
        case .damaged(let place):
            environment.diagnostics.warning(
                "the state of this feed was damaged and is now \(place); everything comes again, with new numbers")
        case .restored(let place):
            environment.diagnostics.warning(
                "the state of this feed was an older copy, and what was printed since is not known; it is now "
                    + "\(place), and everything comes again, with new numbers")
        }
    }
}

/// A jq program ended the run.
struct FollowHalt: Error {
    var status: Int32
    var message: [UInt8]
}

/// Whether the run makes progress, and what it did so far.
final class FollowHealth: Sendable {
    private struct State {
        var lastStep: Int64
        var report = FilterReport()
        var delivered = 0
    }

    private let state: Mutex<State>
    /// A step may take this long, in milliseconds: a request is repeated, and the service may ask for a pause.
    private static let longestStep: Int64 = 900_000

    init(at now: Int64) { state = Mutex(State(lastStep: now)) }

    var report: FilterReport { state.withLock(\.report) }
    var delivered: Int { state.withLock(\.delivered) }

    func step(at now: Int64) { state.withLock { $0.lastStep = now } }

    func isAlive(at now: Int64) -> Bool { state.withLock { now - $0.lastStep < Self.longestStep } }

    func add(delivered count: Int, failures: Int = 0) {
        state.withLock { state in
            state.delivered += count
            state.report.failures += failures
        }
    }
}

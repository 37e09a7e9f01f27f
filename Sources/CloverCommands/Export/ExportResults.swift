import CloverAPI
import CloverCore
import CloverExport
import CloverJSON
import Synchronization

/// What a run has done so far, for its summary and its last message when it is stopped.
final class ExportResults: Sendable {
    struct Resource: Sendable {
        var merchant: String
        /// Clover's environment; nil where the merchant is not known.
        var environment: String?
        var name: String
        /// Whether the run got to it.
        var isReached = false
        var records = 0
        var files = 0
        var bytes = 0
        /// Number of records on which the jq program failed and that are kept, and the description of the first.
        var failed = 0
        var firstFailure: String?
        /// Latest time of a record, in milliseconds since 1970.
        var newest: Int64?
        /// Number of pages of the finished windows.
        var pages = 0
        var windows = 0
        var windowsDone = 0
        /// Progress of the current window.
        var underWay = ListProgress()
        var isDone = false
        var failure: FailureDetails?

        init(_ name: String, of merchant: String, at environment: String? = nil) {
            self.name = name
            self.merchant = merchant
            self.environment = environment
        }

        /// Ends the current window, finished or not.
        mutating func endWindow() {
            pages += underWay.pages
            underWay = ListProgress()
        }

        /// Whether it was not started, without a failure that explains it.
        var isUntouched: Bool { !isDone && failure == nil && windows == 0 }

        /// Which windows stay published if the run stops here, as text; nil when no window was started.
        var progress: String? {
            guard !isDone, failure == nil, windows > 0 else { return nil }
            let windows = windows == 1 ? "1 window" : "\(windows) windows"
            return "\(windowsDone) of \(windows) of \(name) \(windowsDone == 1 ? "is" : "are") safe"
        }
    }

    private struct State {
        var resources: [Resource] = []
        var statistics = ServiceClient.Statistics()
        var pauses: [RateLimitPause] = []
        var other: Obstacle?
        var target: (store: ExportStore, identifier: String)?
        var notices: Set<String> = []
    }

    private let state = Mutex(State())

    var resources: [Resource] { state.withLock(\.resources) }
    var statistics: ServiceClient.Statistics { state.withLock(\.statistics) }

    /// The state's store and the destination's id in it; nil before they are known. Not the destination, whose locks end
    /// with the export.
    var target: (store: ExportStore, identifier: String)? { state.withLock(\.target) }

    func found(_ target: any ExportDestination) { state.withLock { $0.target = (target.store, target.identifier) } }

    /// Whether this notice was not given before in this run, which writes many files.
    func isNew(notice: String) -> Bool { state.withLock { $0.notices.insert(notice).inserted } }

    /// What the run is waiting for at `now`, nil when nothing is known.
    func obstacle(at now: Int64) -> Obstacle? {
        let (other, pauses) = state.withLock { ($0.other, $0.pauses) }
        return other ?? pauses.lazy.compactMap { $0.obstacle(at: now) }.first
    }

    /// Records what the run waits for, in words; nil when it no longer does.
    ///
    /// - Parameter check: command that shows what is wrong with a database that is away; nil for anything else.
    func waits(for other: String?, check: String? = nil) {
        state.withLock { $0.other = other.map { Obstacle($0, check: check) } }
    }

    /// Includes a merchant's rate-limit pause in `obstacle`.
    func watch(_ pause: RateLimitPause) { state.withLock { $0.pauses.append(pause) } }

    /// Adds resources that are going to be exported, in order. Resources of one merchant follow each other.
    func expect(_ resources: [Resource]) { state.withLock { $0.resources += resources } }

    /// Starts a resource, which takes the place of the next expected one, and returns its index.
    func begin(_ resource: Resource) -> Int {
        state.withLock { state in
            var resource = resource
            resource.isReached = true
            guard let place = state.resources.firstIndex(where: { !$0.isReached }) else {
                state.resources.append(resource)
                return state.resources.count - 1
            }
            state.resources[place] = resource
            return place
        }
    }

    /// Replaces the next `count` expected resources, which the run cannot export, with one failed entry.
    func leaveOut(_ count: Int, for entry: Resource, _ failure: FailureDetails) {
        state.withLock { state in
            var entry = entry
            (entry.isReached, entry.failure) = (true, failure)
            let first = state.resources.firstIndex { !$0.isReached } ?? state.resources.endIndex
            let end = min(first + count, state.resources.endIndex)
            state.resources.replaceSubrange(first..<end, with: [entry])
        }
    }

    func change(_ place: Int, _ body: (inout Resource) -> Void) {
        state.withLock { body(&$0.resources[place]) }
    }

    func add(_ statistics: ServiceClient.Statistics) {
        state.withLock { state in
            state.statistics.requests += statistics.requests
            state.statistics.retries += statistics.retries
            state.statistics.secondsWaited += statistics.secondsWaited
        }
    }
}

extension Double {
    /// The number as JSON, rounded to three digits: seconds to the millisecond.
    var secondsText: String { "\((self * 1000).rounded() / 1000)" }
}

extension ExportResults {
    enum Outcome {
        case done
        /// Another export to the same destination is running, and `--if-running skip` was given.
        case skipped
        /// Failed; nil when the failure is not reported.
        case failed(FailureDetails?)
    }

    /// The line of JSON that `--summary` writes, with a newline.
    ///
    /// - Parameter duration: duration of the run, in milliseconds.
    func summary(_ outcome: Outcome, hasManyMerchants: Bool, duration: Int64) -> String {
        let (resources, statistics) = (resources, statistics)
        var line = JSONLine()
        line.add("event", "summary")
        switch outcome {
        case .done: line.add("ok", resources.allSatisfy { $0.isDone })
        case .skipped:
            line.add("ok", true)
            line.add("skipped", true)
        case .failed(let failure):
            line.add("ok", false)
            // A resource's own failure is reported with that resource.
            if let failure, resources.allSatisfy({ $0.failure == nil }) { line.add("error", json: failure.json) }
        }
        if hasManyMerchants {
            var merchants = JSONLine()
            var known: Set<String> = []
            for merchant in resources.map(\.merchant) where known.insert(merchant).inserted {
                let own = resources.filter { $0.merchant == merchant }
                var entry = JSONLine()
                entry.add("ok", own.allSatisfy { $0.isDone })
                entry.add("resources", json: Self.json(own))
                merchants.add(merchant, json: entry.text)
            }
            line.add("merchants", json: merchants.text)
        } else {
            line.add("resources", json: Self.json(resources))
        }
        line.add("calls", Int64(statistics.requests))
        line.add("retries", Int64(statistics.retries))
        line.add("waited", json: statistics.secondsWaited.secondsText)
        line.add("seconds", json: (Double(duration) / 1000).secondsText)
        return line.text + "\n"
    }

    private static func json(_ resources: [Resource]) -> String {
        var object = JSONLine()
        for resource in resources {
            var entry = JSONLine()
            entry.add("ok", resource.isDone)
            // The run ended before it got to this resource.
            if !resource.isReached { entry.add("reached", false) }
            entry.add("records", Int64(resource.records))
            entry.add("files", Int64(resource.files))
            entry.add("bytes", Int64(resource.bytes))
            if resource.failed > 0 { entry.add("failed", Int64(resource.failed)) }
            entry.add("newest", instant: resource.newest)
            if let failure = resource.failure { entry.add("error", json: failure.json) }
            object.add(resource.name, json: entry.text)
        }
        return object.text
    }
}

extension ExportResults {
    /// What was exported of each merchant, in the order of the run: `M: 12 records in 3 files`.
    var merchantLines: [String] {
        let resources = resources
        var known: Set<String> = []
        return resources.map(\.merchant).filter { known.insert($0).inserted }.map { merchant -> String in
            let own = resources.filter { $0.merchant == merchant }
            let records = own.map(\.records).reduce(0, +)
            let files = own.map(\.files).reduce(0, +)
            let failed = own.filter { !$0.isDone }.map(\.name)
            let nouns = (records == 1 ? "record" : "records", files == 1 ? "file" : "files")
            let line = "\(merchant): \(records) \(nouns.0) in \(files) \(nouns.1)"
            return failed.isEmpty ? line : line + "; not done: " + failed.joined(separator: ", ")
        }
    }
}

/// The line on the terminal that shows the progress of one resource.
final class ExportProgress: Sendable {
    private let results: ExportResults
    private let merchant: ExportMerchant
    /// Index of the resource in the results, and the merchant's statistics at its start; nil before it starts.
    private let start = Mutex<(place: Int, before: ServiceClient.Statistics)?>(nil)

    init(
        _ resource: String, _ merchant: ExportMerchant, _ request: ExportRequest, on board: ProgressDisplay,
        _ results: ExportResults
    ) {
        self.results = results
        self.merchant = merchant
        board.line(request.hasManyMerchants ? "\(resource) of \(merchant.merchantID)" : resource) { self.update(&$0) }
    }

    func begin(_ place: Int) {
        let before = merchant.client.statistics
        start.withLock { $0 = (place, before) }
    }

    private func update(_ facts: inout ProgressStatus) {
        guard let (place, before) = start.withLock(\.self) else {
            facts.phase = .waiting
            return
        }
        let entry = results.resources[place]
        facts.records = entry.records + entry.underWay.records
        if entry.isDone || entry.failure != nil {
            facts.phase = .finished(entry.isDone ? "done" : "failed")
            return
        }
        facts.phase = .underWay
        facts.pages = entry.pages + entry.underWay.pages
        let statistics = merchant.client.statistics.since(before)
        facts.requests = statistics.requests
        facts.secondsWaited = statistics.secondsWaited
        facts.pausedUntil = merchant.pause.until
        facts.share = entry.underWay.share.map { (Double(entry.windowsDone) + $0) / Double(max(1, entry.windows)) }
        if entry.windows > 1 {
            facts.unit = "window"
            facts.done = entry.windowsDone
            facts.total = entry.windows
        } else if let count = entry.underWay.windowCount, count > 1 {
            // Recent changes are read in windows of creation time.
            facts.unit = "window"
            facts.done = entry.underWay.windows
            facts.total = count
        }
    }
}

import CloverAPI
import CloverExport
import Synchronization

/// What a run has done so far, for its summary and for whoever stops it.
final class ExportTally: Sendable {
    struct Resource: Sendable {
        var merchant: String
        /// That of the service; nil where the merchant is not known.
        var environment: String?
        var name: String
        /// Its turn has come.
        var isReached = false
        var records = 0
        var files = 0
        var bytes = 0
        /// The latest time of a record, in milliseconds since 1970.
        var newest: Int64?
        /// Pages of the windows that are done.
        var pages = 0
        var windows = 0
        var windowsDone = 0
        /// How far the window is that is under way.
        var underWay = ListProgress()
        var isDone = false
        var failure: FailureFacts?

        init(_ name: String, of merchant: String, at environment: String? = nil) {
            self.name = name
            self.merchant = merchant
            self.environment = environment
        }

        /// The window that was under way is done, or given up.
        mutating func endWindow() {
            pages += underWay.pages
            underWay = ListProgress()
        }

        /// Nothing of it was begun, and nothing says why.
        var isUntouched: Bool { !isDone && failure == nil && windows == 0 }

        /// What is safe when the run stops here; nil when there is nothing to say.
        var progress: String? {
            guard !isDone, failure == nil, windows > 0 else { return nil }
            let windows = windows == 1 ? "1 window" : "\(windows) windows"
            return "\(windowsDone) of \(windows) of \(name) \(windowsDone == 1 ? "is" : "are") safe"
        }
    }

    private struct State {
        var resources: [Resource] = []
        var statistics = ServiceClient.Statistics()
        var pauses: [ServicePause] = []
        var other: String?
        var target: (store: ExportStore, identifier: String)?
    }

    private let state = Mutex(State())

    var resources: [Resource] { state.withLock(\.resources) }
    var statistics: ServiceClient.Statistics { state.withLock(\.statistics) }

    /// Where it is written down how far the exports are, and the destination's id there; nil before it is known.
    var target: (store: ExportStore, identifier: String)? { state.withLock(\.target) }

    func found(_ store: ExportStore, _ identifier: String) { state.withLock { $0.target = (store, identifier) } }

    /// What is in the way of any merchant's requests at this moment, in words; nil when nothing is known to be.
    func obstacle(at now: Int64) -> String? {
        let (other, pauses) = state.withLock { ($0.other, $0.pauses) }
        return other ?? pauses.lazy.compactMap { $0.obstacle(at: now) }.first
    }

    /// Another export has to end first, in words; nil when none has any more.
    func waits(for other: String?) { state.withLock { $0.other = other } }

    /// Asks a merchant's pause, too, what is in the way.
    func watch(_ pause: ServicePause) { state.withLock { $0.pauses.append(pause) } }

    /// What is going to be exported, in its order. Resources of one merchant come one after the other.
    func expect(_ resources: [Resource]) { state.withLock { $0.resources += resources } }

    /// The turn of a resource has come, which is the next one of those that were expected; gives its place.
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

    /// So many of those that come next will not have their turn: one entry that failed stands for all of them.
    func leaveOut(_ count: Int, for entry: Resource, _ failure: FailureFacts) {
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

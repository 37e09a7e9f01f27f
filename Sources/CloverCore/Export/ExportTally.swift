import CloverAPI
import Synchronization

/// What a run has done so far, for its summary and for whoever stops it.
final class ExportTally: Sendable {
    struct Resource: Sendable {
        var merchant: String
        var name: String
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

        /// The window that was under way is done, or given up.
        mutating func endWindow() {
            pages += underWay.pages
            underWay = ListProgress()
        }

        /// What is safe when the run stops here; nil when there is nothing to say.
        var progress: String? {
            guard !isDone, failure == nil, windows > 0 else { return nil }
            let windows = windows == 1 ? "1 window" : "\(windows) windows"
            return "\(windowsDone) of \(windows) of \(name) \(windowsDone == 1 ? "is" : "are") safe"
        }
    }

    private let state = Mutex<
        (resources: [Resource], statistics: ServiceClient.Statistics, pauses: [ServicePause])
    >(([], ServiceClient.Statistics(), []))

    var resources: [Resource] { state.withLock(\.resources) }
    var statistics: ServiceClient.Statistics { state.withLock(\.statistics) }

    /// What is in the way of any merchant's requests at this moment, in words; nil when nothing is known to be.
    func obstacle(at now: Int64) -> String? {
        state.withLock(\.pauses).lazy.compactMap { $0.obstacle(at: now) }.first
    }

    /// Asks a merchant's pause, too, what is in the way.
    func watch(_ pause: ServicePause) { state.withLock { $0.pauses.append(pause) } }

    /// Begins a resource, and gives its place.
    func begin(_ name: String, of merchant: String) -> Int {
        state.withLock { state in
            state.resources.append(Resource(merchant: merchant, name: name))
            return state.resources.count - 1
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

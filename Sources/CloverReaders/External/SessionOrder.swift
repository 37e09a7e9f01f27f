/// The order in which a driver program may tell of a session, clover-reader-driver(5).
package struct SessionOrder: Sendable {
    private var state: ReaderState?
    /// Whether an update was announced, and not yet answered.
    package private(set) var isUpdateOpen = false
    private var mayProgress = false

    package init() {}

    /// The next event of the session.
    /// - Throws: `DriverFailure.violation`.
    package mutating func take(_ event: ReaderEvent) throws(DriverFailure) {
        guard state != .disconnected else {
            throw .violation(rule: "nothing of a session comes after the state 'disconnected'")
        }
        switch event {
        case .state(let new):
            switch new {
            case .ready, .lowBattery:
                guard state != nil else { throw .violation(rule: "a session begins with the state 'initializing'") }
                guard !isUpdateOpen else { throw .violation(rule: "a reader that needs an update is not ready") }
            case .updatingFW:
                guard mayProgress else {
                    throw .violation(rule: "an update begins after 'update' was told and answered with 'begin'")
                }
            case .initializing:
                guard state != .ready, state != .lowBattery else {
                    throw .violation(rule: "a reader that is ready does not become 'initializing' again")
                }
            case .disconnected: break
            }
            if new != .updatingFW { mayProgress = false }
            if new == .ready || new == .lowBattery { wasReady = true }
            state = new
        case .progress:
            guard mayProgress else {
                throw .violation(rule: "an update begins after 'update' was told and answered with 'begin'")
            }
            state = .updatingFW
        case .updateNeeded:
            guard state == .initializing || state == .updatingFW else {
                throw .violation(rule: "'update' is told in the state 'initializing'")
            }
            isUpdateOpen = true
            mayProgress = false
        case .battery, .details: break
        }
    }

    /// The update was answered.
    package mutating func answer(_ mayBegin: Bool) {
        isUpdateOpen = false
        mayProgress = mayBegin
    }

    /// Whether the reader was ready once.
    package private(set) var wasReady = false
}

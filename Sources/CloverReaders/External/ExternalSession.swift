import Synchronization

/// A session with a reader behind a driver program.
package final class ExternalSession: CardSession {
    private struct State {
        var order = SessionEventValidator()
        var isOver = false
        var isUpdating = false
        /// Thrown by the call after the one that returned `disconnected`.
        var ending: ReaderError?
        /// Events that arrived during a charge.
        var postponed: [ReaderEvent] = []
        var cancelledAt: ContinuousClock.Instant?
        var lostAt: ContinuousClock.Instant?
    }

    package let reader: Reader
    package let takesPayments: Bool
    private let conversation: DriverConversation
    private let state = Mutex(State())

    init(_ conversation: DriverConversation, _ reader: Reader) {
        takesPayments = conversation.can(.charge)
        self.conversation = conversation
        self.reader = reader
    }

    package func nextEvent() async throws -> ReaderEvent? {
        try await nextEvent(timeout: nil)
    }

    /// The same, with a limit in seconds for a driver that is alive but reports no event.
    func nextEvent(timeout: Double?) async throws -> ReaderEvent? {
        let (postponed, isOver) = try state.withLock { state in
            if !state.postponed.isEmpty { return (state.postponed.removeFirst() as ReaderEvent?, false) }
            if let ending = state.ending { throw ending }
            return (nil, state.isOver)
        }
        if let postponed { return postponed }
        if isOver { return nil }
        while true {
            let message = try await conversation.next(awaiting: "the reader to become ready", timeout: timeout)
            if let id = message.id { throw conversation.unasked(id) }
            if let event = try take(message) { return event }
        }
    }

    package func respondToUpdate(_ mayBegin: Bool) async throws {
        guard state.withLock({ $0.order.isUpdateOpen }) else { return }
        // Noted before the request, so that the first progress event is valid whenever it arrives.
        recordUpdateDecision(mayBegin)
        let response = try await conversation.ask(.update(begin: mayBegin))
        if let refusal = response.error { throw conversation.error(refusal, of: reader.id, during: .updating) }
    }

    func recordUpdateDecision(_ mayBegin: Bool) {
        state.withLock { state in
            state.order.answer(mayBegin)
            state.isUpdating = mayBegin
        }
    }

    /// After a cancellation, the driver must end the charge within `DriverLimits.cancellation`; after the loss of the reader,
    /// within `DriverLimits.loss`.
    package func charge(
        _ request: CardCharge, onProgress: @Sendable (String) async throws -> Void
    ) async throws -> CardOutcome {
        state.withLock { $0.cancelledAt = nil }
        let id = try conversation.post(.charge(request))
        while true {
            let message = try await conversation.next(awaiting: Self.awaited, until: { self.endOfCharge })
            if message.id == id { return try await outcome(message, of: id, request) }
            try await handle(message, onProgress)
            // A driver that keeps reporting progress is not silent, and has no outcome.
            if let end = endOfCharge, end <= .now {
                throw conversation.failed(.silent(awaiting: Self.awaited, seconds: conversation.limits.cancellation))
            }
        }
    }

    private static let awaited = "the end of a charge that was cancelled, or lost its reader"

    /// The deadline of a charge that was cancelled or whose reader was lost; nil for any other.
    private var endOfCharge: ContinuousClock.Instant? {
        let (cancelled, lost) = state.withLock { ($0.cancelledAt, $0.lostAt) }
        let limits = conversation.limits
        return [cancelled.map { $0 + .seconds(limits.cancellation) }, lost.map { $0 + .seconds(limits.loss) }]
            .compactMap(\.self).min()
    }

    /// The outcome of a charge. An outcome other than approval is accepted only after the driver has responded to one more
    /// request without reporting an approval first.
    private func outcome(_ first: DriverMessage, of id: Int, _ request: CardCharge) async throws -> CardOutcome {
        var ending = Result { try read(first, request) }
        if case .success(.approved) = ending { return try ending.get() }
        let question = try conversation.post(.ping)
        let deadline = ContinuousClock.now + .seconds(conversation.limits.answer)
        do {
            while true {
                let message = try await conversation.next(awaiting: "a response to 'ping'", until: { deadline })
                if message.id == question || deadline <= .now { break }
                if message.id == id {
                    let later = Result { try read(message, request) }
                    if case .success(.approved) = later { ending = later }
                } else {
                    try await handle(message) { _ in }
                }
            }
        } catch {
            // A driver that ends or falls silent now has reported everything.
        }
        return try ending.get()
    }

    private func read(_ message: DriverMessage, _ request: CardCharge) throws -> CardOutcome {
        if let refusal = message.error, message.result?.outcome != "approved" {
            throw conversation.refused("charge", refusal)
        }
        do throws(DriverFailure) {
            return try (message.result ?? DriverResult()).cardOutcome(externalID: request.externalPaymentID)
        } catch {
            throw conversation.failed(error)
        }
    }

    /// Handles a message that arrives during a charge, other than its outcome.
    private func handle(_ message: DriverMessage, _ onProgress: @Sendable (String) async throws -> Void) async throws {
        if let id = message.id { throw conversation.unasked(id) }
        if message.event == "say", let say = message.say {
            try await onProgress(say)
        } else if let event = try take(message) {
            state.withLock { $0.postponed.append(event) }
        }
    }

    package func cancelCharge() async throws {
        state.withLock { $0.cancelledAt = $0.cancelledAt ?? .now }
        try conversation.post(.cancel, isAwaited: false)
    }

    package func disconnect() async {
        let wasOver = state.withLock { state in
            defer { state.isOver = true }
            return state.isOver
        }
        await conversation.close(saying: wasOver ? nil : .disconnect)
    }

    /// The event of a message; nil for an unknown one.
    private func take(_ message: DriverMessage) throws -> ReaderEvent? {
        guard let event = Self.event(message) else { return nil }
        try state.withLock { state in
            do throws(DriverFailure) {
                try state.order.take(event)
            } catch {
                throw conversation.failed(error)
            }
            if case .state(let new) = event {
                if new == .disconnected {
                    state.isOver = true
                    state.lostAt = state.lostAt ?? .now
                    let operation: ReaderOperation? =
                        state.isUpdating ? .updating : state.order.wasReady ? nil : .initializing
                    state.ending = message.error.map {
                        conversation.error($0, of: reader.id, during: operation)
                    }
                } else if new != .updatingFW {
                    state.isUpdating = false
                }
            }
        }
        return event
    }

    private static func event(_ message: DriverMessage) -> ReaderEvent? {
        switch message.event {
        case "state": message.state.flatMap(ReaderState.init(rawValue:)).map { .state($0) }
        case "progress": message.progress.map { .progress($0) }
        case "battery": message.battery.map { .battery(Int($0)) }
        case "reader": message.reader.map { .details($0.value) }
        case "update": .updateNeeded(message.what == "keys" ? .keys : .firmware(version: message.version))
        default: nil
        }
    }
}

/// Checks the order of a driver program's session events, clover-reader-driver(5).
package struct SessionEventValidator: Sendable {
    private var state: ReaderState?
    /// Whether an update was announced and neither accepted nor refused yet.
    package private(set) var isUpdateOpen = false
    private var mayProgress = false
    package private(set) var wasReady = false

    private static let updateRule =
        "an update begins only after the event 'update' and the request 'update' with 'begin'"

    package init() {}

    /// Takes in the next event of the session.
    /// - Throws: `DriverFailure.violation`.
    package mutating func take(_ event: ReaderEvent) throws(DriverFailure) {
        try DriverFailure.require(
            state != .disconnected, "no session event comes after the state 'disconnected'")
        switch event {
        case .state(let new):
            switch new {
            case .ready, .lowBattery:
                try DriverFailure.require(state != nil, "a session begins with the state 'initializing'")
                try DriverFailure.require(!isUpdateOpen, "a reader that needs an update is not ready")
            case .updatingFW: try DriverFailure.require(mayProgress, Self.updateRule)
            case .initializing:
                try DriverFailure.require(
                    state != .ready && state != .lowBattery,
                    "a reader that is ready does not become 'initializing' again")
            case .disconnected: break
            }
            if new != .updatingFW { mayProgress = false }
            if new == .ready || new == .lowBattery { wasReady = true }
            state = new
        case .progress:
            try DriverFailure.require(mayProgress, Self.updateRule)
            state = .updatingFW
        case .updateNeeded:
            try DriverFailure.require(
                state == .initializing || state == .updatingFW, "'update' is sent in the state 'initializing'")
            isUpdateOpen = true
            mayProgress = false
        case .battery, .details: break
        }
    }

    /// Notes that the update was accepted or refused.
    package mutating func answer(_ mayBegin: Bool) {
        isUpdateOpen = false
        mayProgress = mayBegin
    }
}

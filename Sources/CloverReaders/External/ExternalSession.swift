import Synchronization

/// A session with a reader behind a driver program.
package final class ExternalSession: CardSession {
    private struct State {
        var order = SessionOrder()
        var isOver = false
        var isUpdating = false
        /// Thrown by the call after the one that told of `disconnected`.
        var ending: ReaderError?
        /// Events that came during a charge.
        var postponed: [ReaderEvent] = []
        /// When the charge under way was asked to end.
        var cancelledAt: ContinuousClock.Instant?
    }

    package let reader: Reader
    package let takesPayments: Bool
    private let conversation: DriverConversation
    private let state = Mutex(State())

    init(_ conversation: DriverConversation, _ reader: Reader, takesPayments: Bool) {
        self.takesPayments = takesPayments
        self.conversation = conversation
        self.reader = reader
    }

    package func nextEvent() async throws -> ReaderEvent? {
        try await nextEvent(patience: nil)
    }

    /// The same with a limit, in seconds, to what a driver that is alive may take.
    func nextEvent(patience: Double?) async throws -> ReaderEvent? {
        let (postponed, isOver) = try state.withLock { state in
            if !state.postponed.isEmpty { return (state.postponed.removeFirst() as ReaderEvent?, false) }
            if let ending = state.ending { throw ending }
            return (nil, state.isOver)
        }
        if let postponed { return postponed }
        if isOver { return nil }
        while true {
            let message = try await conversation.next(awaiting: "the reader to get ready", patience: patience)
            if let id = message.id { throw conversation.unasked(id) }
            if let event = try take(message) { return event }
        }
    }

    package func answerUpdate(_ mayBegin: Bool) async throws {
        guard state.withLock({ $0.order.isUpdateOpen }) else { return }
        // Before the request, so that the first progress is in order whenever it comes.
        noteUpdate(mayBegin)
        let answer = try await conversation.ask(.update(begin: mayBegin))
        if let refusal = answer.error { throw conversation.error(refusal, of: reader.id, during: .updating) }
    }

    /// The update that was asked for may begin, or may not.
    func noteUpdate(_ mayBegin: Bool) {
        state.withLock { state in
            state.order.answer(mayBegin)
            state.isUpdating = mayBegin
        }
    }

    /// A driver that was asked to cancel has to end the charge in the time of `DriverLimits.cancellation`.
    package func charge(
        _ request: CardCharge, onProgress: @Sendable (String) async throws -> Void
    ) async throws -> CardOutcome {
        state.withLock { $0.cancelledAt = nil }
        let id = try conversation.post(.charge(request))
        while true {
            let message = try await conversation.next(
                awaiting: "the end of the charge after 'cancel'", until: { self.end(ofCharge: id) })
            if message.id == id { return try await outcome(message, of: id, request) }
            try await hear(message, onProgress)
        }
    }

    /// When a charge that was cancelled has to have ended; nil while it was not.
    private func end(ofCharge id: Int) -> ContinuousClock.Instant? {
        state.withLock(\.cancelledAt).map { $0 + .seconds(conversation.limits.cancellation) }
    }

    /// The outcome of a charge. Other ends than an approval are believed when the driver has answered one more request, and
    /// did not tell of an approval before.
    private func outcome(_ first: DriverMessage, of id: Int, _ request: CardCharge) async throws -> CardOutcome {
        var ending = Result { try read(first, request) }
        if case .success(.approved) = ending { return try ending.get() }
        let question = try conversation.post(.ping)
        let deadline = ContinuousClock.now + .seconds(conversation.limits.answer)
        do {
            while true {
                let message = try await conversation.next(awaiting: "an answer to 'ping'", until: { deadline })
                if message.id == question { break }
                if message.id == id {
                    let later = Result { try read(message, request) }
                    if case .success(.approved) = later { ending = later }
                } else {
                    try await hear(message) { _ in }
                }
            }
        } catch {
            // A driver that ends or is silent now has said what it had to say.
        }
        return try ending.get()
    }

    private func read(_ message: DriverMessage, _ request: CardCharge) throws -> CardOutcome {
        if let refusal = message.error { throw conversation.refused("charge", refusal) }
        do throws(DriverFailure) {
            return try (message.result ?? DriverResult()).cardOutcome(externalID: request.externalPaymentID)
        } catch {
            throw conversation.failed(error)
        }
    }

    /// What is told during a charge besides its end.
    private func hear(_ message: DriverMessage, _ onProgress: @Sendable (String) async throws -> Void) async throws {
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

    /// The event of a message; nil for one that is not known.
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

import Glibc
import Synchronization

/// Requests to a driver program and what it says. One task listens at a time; any may post a request.
final class DriverConversation: Sendable {
    /// What a driver can do beyond scanning and connecting, by its own word.
    static let scanning = "scan"
    static let connecting = "connect"
    static let charging = "charge"
    /// It keeps a record of its charges that outlives it, so that a charge which it does not have never was.
    static let recalling = "recall"

    private struct State {
        var lastID = 0
        /// Answers that nobody waited for.
        var pings = 0
        /// Requests whose answers nobody waits for.
        var unawaited: Set<Int> = []
        /// Events that came while an answer was awaited.
        var postponed: [DriverMessage] = []
    }

    let limits: DriverLimits
    let program: String
    private let process: DriverProcess
    private let state = Mutex(State())

    private init(_ process: DriverProcess, program: String, limits: DriverLimits) {
        self.process = process
        self.program = program
        self.limits = limits
    }

    /// Starts the program and shakes hands.
    /// - Throws: `ReaderError.driver`, `CancellationError`; the program has then ended.
    static func open(
        _ command: DriverCommand, variables: [String: String], limits: DriverLimits,
        onErrorLine: @escaping @Sendable (String) -> Void
    ) async throws -> (DriverConversation, DriverResult) {
        let process: DriverProcess
        do {
            process = try DriverProcess(command, variables: variables, limits: limits, onErrorLine: onErrorLine)
        } catch {
            throw ReaderError.driver(error, program: command.name)
        }
        let conversation = DriverConversation(process, program: command.name, limits: limits)
        do {
            return (conversation, try await conversation.shakeHands())
        } catch {
            await process.stop()
            throw error
        }
    }

    private func shakeHands() async throws -> DriverResult {
        let answer = try await ask(.hello)
        if let refusal = answer.error {
            guard refusal.code == "version" else { throw refused("hello", refusal) }
            throw failed(.version(theirs: refusal.versions ?? [], ours: DriverRequest.protocolVersion))
        }
        guard let result = answer.result, let version = result.version, result.driver?.isEmpty == false,
            result.capabilities != nil
        else { throw failed(.violation(rule: "the answer to 'hello' has 'version', 'driver' and 'capabilities'")) }
        guard version == DriverRequest.protocolVersion else {
            throw failed(.version(theirs: [version], ours: DriverRequest.protocolVersion))
        }
        return result
    }

    /// Sends a request.
    /// - Parameter isAwaited: false when its answer, whatever it is, concerns nobody.
    /// - Returns: the number that its answer bears.
    @discardableResult
    func post(_ request: DriverRequest, isAwaited: Bool = true) throws -> Int {
        try state.withLock { state in
            state.lastID += 1
            var request = request
            request.id = state.lastID
            if !isAwaited { state.unawaited.insert(request.id) }
            process.send(try request.line())
            return request.id
        }
    }

    /// The next event or answer. A driver that is silent for too long is asked whether it is there.
    /// - Parameters:
    ///   - awaited: what a driver that is alive, and says nothing to the point, keeps us waiting for.
    ///   - patience: seconds until that is an error; nil for ever.
    /// - Throws: `ReaderError.driver`, `CancellationError`.
    func next(awaiting awaited: String = "", patience: Double? = nil) async throws -> DriverMessage {
        let deadline = patience.map { ContinuousClock.now + .seconds($0) }
        return try await next(awaiting: awaited, until: { deadline })
    }

    /// The same until a moment that may be set meanwhile.
    func next(awaiting awaited: String, until deadline: () -> ContinuousClock.Instant?) async throws -> DriverMessage {
        let postponed = state.withLock { $0.postponed.isEmpty ? nil : $0.postponed.removeFirst() }
        if let postponed { return postponed }
        let start = ContinuousClock.now
        var hasAsked = false
        while true {
            let left = deadline().map { max(0, ContinuousClock.now.duration(to: $0) / .seconds(1)) }
            let pings = state.withLock { $0.pings }
            if let message = try await receive(within: min(limits.answer, left ?? limits.answer)) { return message }
            if let deadline = deadline(), deadline <= .now {
                throw failed(.silent(awaiting: awaited, seconds: start.duration(to: .now) / .seconds(1)))
            }
            // Its answer is no message for the caller, but a sign of life.
            if state.withLock({ $0.pings }) != pings { hasAsked = false }
            if hasAsked { throw failed(.silent(awaiting: "an answer to 'ping'", seconds: limits.answer)) }
            try post(.ping, isAwaited: false)
            hasAsked = true
        }
    }

    /// The next event within so many seconds; nil when none came.
    func event(within seconds: Double) async throws -> DriverMessage? {
        let postponed = state.withLock { $0.postponed.isEmpty ? nil : $0.postponed.removeFirst() }
        guard let message = try await postponed == nil ? receive(within: seconds) : postponed else { return nil }
        if let id = message.id { throw unasked(id) }
        return message
    }

    /// Sends a request and waits for its answer; events that come before it are kept for `next`, or given to
    /// `onEvent`.
    func ask(
        _ request: DriverRequest, patience: Double? = nil, isCancellable: Bool = true,
        onEvent: (@Sendable (DriverMessage) throws -> Void)? = nil
    ) async throws -> DriverMessage {
        let id = try post(request)
        let patience = patience ?? limits.answer
        let deadline = ContinuousClock.now + .seconds(patience)
        for _ in 0..<DriverLimits.linesBeforeAnswer {
            let left = max(0, ContinuousClock.now.duration(to: deadline) / .seconds(1))
            guard let message = try await receive(within: left, isCancellable: isCancellable) else { break }
            if message.id == id { return message }
            if let number = message.id {
                throw unasked(number)
            }
            if let onEvent {
                try onEvent(message)
            } else {
                state.withLock { $0.postponed.append(message) }
            }
            guard ContinuousClock.now < deadline else { break }
        }
        throw failed(.silent(awaiting: "an answer to '\(request.request)'", seconds: patience))
    }

    /// The result of `ask`; an error of the driver's is thrown as `refused`.
    func result(
        _ request: DriverRequest, patience: Double? = nil, isCancellable: Bool = true
    ) async throws -> DriverResult {
        let answer = try await ask(request, patience: patience, isCancellable: isCancellable)
        if let refusal = answer.error { throw refused(request.request, refusal) }
        return answer.result ?? DriverResult()
    }

    /// Says goodbye with a last request, whose answer is awaited a little, and ends the program. Works in a cancelled
    /// task too, and tells of nothing: whatever was wrong before is what counts.
    @discardableResult
    func close(saying request: DriverRequest? = nil) async -> DriverProcess.Ending {
        if let request {
            do {
                _ = try await ask(request, patience: limits.ending, isCancellable: false) { _ in }
            } catch {
                // A driver that does not answer is ended like one that does.
            }
        }
        return await process.stop()
    }

    /// Nil when nothing came in time.
    private func receive(within seconds: Double, isCancellable: Bool = true) async throws -> DriverMessage? {
        while true {
            let line: DriverProcess.Line
            do {
                line = try await process.nextLine(within: seconds, isCancellable: isCancellable)
            } catch let failure as DriverFailure {
                throw failed(failure)
            }
            guard case .line(let bytes) = line else { return nil }
            let message: DriverMessage
            do {
                message = try DriverMessage(parsing: bytes)
            } catch {
                throw failed(error)
            }
            guard let id = message.id, state.withLock({ $0.unawaited.remove(id) != nil }) else { return message }
            state.withLock { $0.pings += 1 }
        }
    }

    func failed(_ failure: DriverFailure) -> ReaderError { .driver(failure, program: program) }

    func refused(_ request: String, _ refusal: DriverMessage.DriverRefusal) -> ReaderError {
        failed(.refused(request: request, code: refusal.code, message: refusal.message))
    }

    /// For an answer that nobody asked for.
    func unasked(_ id: Int) -> ReaderError {
        failed(.violation(rule: "an answer bears the 'id' of a request that waits, and \(id) does not"))
    }
}

extension DriverConversation {
    /// What an error of the driver's about a reader means. The codes are those of clover-reader-driver(5); a driver may
    /// have others.
    func error(
        _ refusal: DriverMessage.DriverRefusal, of reader: String, during operation: ReaderOperation?
    ) -> ReaderError {
        switch refusal.code {
        case "not_found": .unknownReader(reader)
        case "out_of_range": .vanished(reader)
        case "busy": .connectedElsewhere(reader)
        case "not_answering", "timeout": .notAnswering(reader)
        case "not_permitted": .notPermitted(detail: refusal.message)
        case "lost": .connectionLost(reader, during: operation)
        case "low_battery" where refusal.battery != nil:
            .batteryTooLow(reader, battery: refusal.battery ?? 0, needed: ReaderRules.updateBattery)
        case "update_failed": .updateFailed(reader, detail: refusal.message)
        default: .failed(reader, code: refusal.code, detail: refusal.message)
        }
    }
}

/// A driver's standard error, line by line. Used on the driver's thread only.
struct DriverErrorText {
    private let show: @Sendable (String) -> Void
    private var line: [UInt8] = []
    private var shown = 0
    private(set) var isOpen = true

    init(show: @escaping @Sendable (String) -> Void) {
        self.show = show
    }

    /// Reads what there is; longer lines are cut, and a driver that says too much is not heard any more.
    mutating func read(_ descriptor: Int32) {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        if count == 0 { isOpen = false }
        guard count > 0 else { return }
        for byte in buffer[..<count] {
            if byte == UInt8(ascii: "\n") {
                flush()
            } else if line.count < DriverLimits.errorLine {
                line.append(byte)
            }
        }
    }

    /// Reads the rest, at the program's end.
    mutating func finish(_ descriptor: Int32) {
        for _ in 0..<64 where isOpen {
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, 0) > 0 else { break }
            read(descriptor)
        }
        flush()
    }

    private mutating func flush() {
        defer { line = [] }
        guard !line.isEmpty, shown <= DriverLimits.errorLines else { return }
        shown += 1
        show(shown > DriverLimits.errorLines ? "(it goes on, and is not shown)" : String(decoding: line, as: UTF8.self))
    }
}

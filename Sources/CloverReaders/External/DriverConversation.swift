import Glibc
import Synchronization

/// A conversation with a driver program. Only one task may read at a time; any task may send a request.
final class DriverConversation: Sendable {
    /// A driver's capabilities, as it reports them.
    enum Capability: String {
        case scan, connect, charge
        /// It keeps a record of its charges that outlives the process: a charge that it does not have was never made.
        case recall
    }

    private struct State {
        /// The response to the handshake.
        var hello = DriverResult()
        var lastID = 0
        /// Number of responses received for unawaited requests.
        var pings = 0
        /// Requests whose responses are discarded.
        var unawaited: Set<Int> = []
        /// Events that arrived while a response was awaited.
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

    /// Starts the program and completes the handshake.
    /// - Throws: `ReaderError.driver`, `CancellationError`; the program has ended by then.
    static func open(
        _ command: DriverCommand, variables: [String: String], limits: DriverLimits,
        onErrorLine: @escaping @Sendable (String) -> Void
    ) async throws -> DriverConversation {
        let process: DriverProcess
        do {
            process = try DriverProcess(command, variables: variables, limits: limits, onErrorLine: onErrorLine)
        } catch {
            throw ReaderError.driver(error, program: command.name)
        }
        let conversation = DriverConversation(process, program: command.name, limits: limits)
        do {
            try await conversation.shakeHands()
            return conversation
        } catch {
            await process.stop()
            throw error
        }
    }

    private func shakeHands() async throws {
        let response = try await ask(.hello)
        if let refusal = response.error {
            guard refusal.code == "version" else { throw refused("hello", refusal) }
            throw failed(.version(theirs: refusal.versions ?? [], ours: DriverRequest.protocolVersion))
        }
        guard let result = response.result, let version = result.version, result.driver?.isEmpty == false,
            result.capabilities != nil
        else { throw violated("the response to 'hello' has 'version', 'driver' and 'capabilities'") }
        guard version == DriverRequest.protocolVersion else {
            throw failed(.version(theirs: [version], ours: DriverRequest.protocolVersion))
        }
        keep(result)
    }

    private var capabilities: [String] { state.withLock { $0.hello.capabilities ?? [] } }

    func can(_ capability: Capability) -> Bool { capabilities.contains(capability.rawValue) }

    /// The driver's name, version and capabilities.
    var summary: String {
        let hello = state.withLock { $0.hello }
        let name = [hello.driver, hello.driverVersion].compactMap(\.self).joined(separator: " ")
        return "\(name), can \(Set(capabilities).sorted().joined(separator: ", "))"
    }

    /// Sends a request.
    /// - Parameter isAwaited: false to discard the response, whatever it is.
    /// - Returns: the request ID, which its response repeats.
    @inline(never) @discardableResult
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

    /// Waits for the next event or response. Sends a ping to a driver that is silent for too long.
    /// - Parameters:
    ///   - awaited: what is awaited, for the error about a driver that responds to pings but does not deliver it.
    ///   - timeout: seconds until that error; nil waits without a limit.
    /// - Throws: `ReaderError.driver`, `CancellationError`.
    func next(awaiting awaited: String = "", timeout: Double? = nil) async throws -> DriverMessage {
        let deadline = timeout.map { ContinuousClock.now + .seconds($0) }
        return try await next(awaiting: awaited, until: { deadline })
    }

    /// The same, with a deadline that may be set in the meantime.
    func next(awaiting awaited: String, until deadline: () -> ContinuousClock.Instant?) async throws -> DriverMessage {
        if let postponed = takePostponed() { return postponed }
        let start = ContinuousClock.now
        var hasAsked = false
        while true {
            let left = deadline().map { max(0, ContinuousClock.now.duration(to: $0) / .seconds(1)) }
            let pings = countPings()
            if let message = try await receive(within: min(limits.answer, left ?? limits.answer)) { return message }
            if let deadline = deadline(), deadline <= .now {
                throw failed(.silent(awaiting: awaited, seconds: start.duration(to: .now) / .seconds(1)))
            }
            // A response to a ping is not returned, but shows that the driver is alive.
            if countPings() != pings { hasAsked = false }
            if hasAsked { throw failed(.silent(awaiting: "a response to 'ping'", seconds: limits.answer)) }
            try post(.ping, isAwaited: false)
            hasAsked = true
        }
    }

    /// The next event within this many seconds; nil if none arrived.
    func event(within seconds: Double) async throws -> DriverMessage? {
        let postponed = takePostponed()
        guard let message = try await postponed == nil ? receive(within: seconds) : postponed else { return nil }
        if let id = message.id { throw unasked(id) }
        return message
    }

    /// Sends a request and waits for its response. Events that arrive before it are kept for `next`, or passed to
    /// `onEvent`.
    func ask(
        _ request: DriverRequest, timeout: Double? = nil, isCancellable: Bool = true,
        onEvent: (@Sendable (DriverMessage) throws -> Void)? = nil
    ) async throws -> DriverMessage {
        let id = try post(request)
        let timeout = timeout ?? limits.answer
        let deadline = ContinuousClock.now + .seconds(timeout)
        for _ in 0..<DriverLimits.maximumLinesBeforeResponse {
            let left = max(0, ContinuousClock.now.duration(to: deadline) / .seconds(1))
            guard let message = try await receive(within: left, isCancellable: isCancellable) else { break }
            if message.id == id { return message }
            if let number = message.id {
                throw unasked(number)
            }
            if let onEvent {
                try onEvent(message)
            } else {
                postpone(message)
            }
            guard ContinuousClock.now < deadline else { break }
        }
        throw failed(.silent(awaiting: "a response to '\(request.request)'", seconds: timeout))
    }

    /// The result of `ask`; an error response is thrown as `refused`.
    func result(
        _ request: DriverRequest, timeout: Double? = nil, isCancellable: Bool = true
    ) async throws -> DriverResult {
        let response = try await ask(request, timeout: timeout, isCancellable: isCancellable)
        if let refusal = response.error { throw refused(request.request, refusal) }
        return response.result ?? DriverResult()
    }

    func lookUp(_ externalID: String) async throws -> CardLookup {
        let result = try await result(.payment(externalID: externalID))
        do throws(DriverFailure) {
            return try result.cardLookup(externalID: externalID, isRecordLasting: can(.recall))
        } catch {
            throw failed(error)
        }
    }

    /// Sends a last request, waits briefly for its response, and ends the program. Works in a cancelled task too, and
    /// reports no errors, because an earlier error matters more.
    @discardableResult
    func close(saying request: DriverRequest? = nil) async -> DriverProcess.Ending {
        if let request {
            do {
                _ = try await ask(request, timeout: limits.ending, isCancellable: false) { _ in }
            } catch {
                // The program is ended whether or not it responds.
            }
        }
        return await process.stop()
    }

    /// Returns nil if nothing arrived in time.
    private func receive(within seconds: Double, isCancellable: Bool = true) async throws -> DriverMessage? {
        while true {
            let received: [UInt8]?
            do {
                received = try await process.nextLine(within: seconds, isCancellable: isCancellable)
            } catch let failure as DriverFailure {
                throw failed(failure)
            }
            guard let line = received else { return nil }
            let message: DriverMessage
            do {
                message = try DriverMessage(parsing: line)
            } catch {
                throw failed(error)
            }
            guard let id = message.id, takeUnawaited(id) else { return message }
        }
    }

    // MARK: The state, in functions that are not inlined into asynchronous ones, where the address of the thread's number
    // would be kept.

    @inline(never)
    private func takePostponed() -> DriverMessage? {
        state.withLock { $0.postponed.isEmpty ? nil : $0.postponed.removeFirst() }
    }

    @inline(never)
    private func postpone(_ message: DriverMessage) { state.withLock { $0.postponed.append(message) } }

    @inline(never)
    private func keep(_ hello: DriverResult) { state.withLock { $0.hello = hello } }

    @inline(never)
    private func countPings() -> Int { state.withLock { $0.pings } }

    /// Counts the response to a ping, if the request with this ID is one.
    @inline(never)
    private func takeUnawaited(_ id: Int) -> Bool {
        state.withLock { state in
            guard state.unawaited.remove(id) != nil else { return false }
            state.pings += 1
            return true
        }
    }

    func failed(_ failure: DriverFailure) -> ReaderError { .driver(failure, program: program) }

    func violated(_ rule: String) -> ReaderError { failed(.violation(rule: rule)) }

    func refused(_ request: String, _ refusal: DriverMessage.DriverRefusal) -> ReaderError {
        failed(.refused(request: request, code: refusal.code, message: refusal.message))
    }

    /// The error for a response that matches no pending request.
    func unasked(_ id: Int) -> ReaderError {
        violated("a response has the 'id' of a pending request, and \(id) is not one")
    }
}

extension DriverConversation {
    /// The meaning of a driver's error response about a reader. The codes are those of clover-reader-driver(5); a driver may
    /// use others.
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

/// A driver's standard error, split into lines. Used only on the driver's thread.
struct DriverErrorLines {
    private let show: @Sendable (String) -> Void
    private var line: [UInt8] = []
    private var shown = 0
    private(set) var isOpen = true

    init(show: @escaping @Sendable (String) -> Void) {
        self.show = show
    }

    /// Reads what is available. Long lines are truncated, and lines beyond the limit are discarded.
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

    /// Reads the rest when the program ends.
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
        show(shown > DriverLimits.errorLines ? "(further lines are not shown)" : String(decoding: line, as: UTF8.self))
    }
}

import CloverSystem
import Glibc

/// The thread of a driver program: transfers bytes, enforces time limits, and ends the program.
struct DriverThread {
    /// The stages of ending the program.
    private enum Phase {
        case running
        /// Its standard input was closed.
        case asked
        /// SIGTERM was sent.
        case terminated
        /// SIGKILL was sent.
        case killed
    }

    /// A program that exits closes its output first; if it still runs after this time, closing the output was a fault.
    private static let outputGrace = Duration.milliseconds(250)

    private let spawned: SpawnedDriver
    private let wake: EventFD
    private let state: Monitor<DriverProcess.State>
    private let limits: DriverLimits

    private var phase = Phase.running
    private var phaseEnd: ContinuousClock.Instant?
    private var isInputOpen = true
    private var isOutputOpen = true
    /// When a driver that closed its output but still runs is given up.
    private var outputEnd: ContinuousClock.Instant?
    private var cutter: LineSplitter
    private var errorText: DriverErrorLines
    private var windowStart = ContinuousClock.now
    private var linesInWindow = 0
    private var buffer = [UInt8](repeating: 0, count: 64 << 10)

    init(
        _ spawned: SpawnedDriver, wake: EventFD, state: Monitor<DriverProcess.State>, limits: DriverLimits,
        onErrorLine: @escaping @Sendable (String) -> Void
    ) {
        self.spawned = spawned
        self.wake = wake
        self.state = state
        self.limits = limits
        cutter = LineSplitter(limit: limits.line)
        errorText = DriverErrorLines(show: onErrorLine)
    }

    consuming func run() {
        var loop = self
        loop.work()
    }

    private mutating func work() {
        while true {
            let (wantsLines, outgoing, isStopping, deadline) = state.withLock { state in
                (
                    state.isStopping || state.lines.count < DriverLimits.bufferedLines, !state.outgoing.isEmpty,
                    state.isStopping, state.deadline
                )
            }
            if isStopping, phase == .running { advance() }
            var entries = [
                pollfd(fd: wake.number, events: Int16(POLLIN), revents: 0),
                pollfd(fd: spawned.processDescriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: isOutputOpen && wantsLines ? spawned.output : -1, events: Int16(POLLIN), revents: 0),
                pollfd(fd: errorText.isOpen ? spawned.errors : -1, events: Int16(POLLIN), revents: 0),
                pollfd(fd: isInputOpen && outgoing ? spawned.input : -1, events: Int16(POLLOUT), revents: 0),
            ]
            let times = [deadline, phaseEnd, outputEnd].compactMap { $0 }
            // Signals are blocked in this thread, so nothing interrupts this call.
            _ = poll(&entries, nfds_t(entries.count), Self.milliseconds(until: times.min()))
            if entries[0].revents != 0 { wake.clear() }
            if entries[2].revents != 0 { readOutput() }
            if entries[3].revents != 0 { errorText.read(spawned.errors) }
            if entries[4].revents != 0 { writeInput() }
            if entries[1].revents != 0 { return finish() }
            checkDeadlines()
        }
    }

    /// Rounded up, so that the time has passed afterwards; -1 means no limit.
    private static func milliseconds(until time: ContinuousClock.Instant?) -> Int32 {
        guard let time else { return -1 }
        let (seconds, attoseconds) = ContinuousClock.now.duration(to: time).components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        return Int32(clamping: min(seconds, 1 << 20) * 1000 + attoseconds / 1_000_000_000_000_000 + 1)
    }

    private mutating func checkDeadlines() {
        let now = ContinuousClock.now
        if let end = phaseEnd, end <= now { advance() }
        if let end = outputEnd, end <= now {
            outputEnd = nil
            fail(.closedOutput)
        }
        let late = state.update { state in
            if let deadline = state.deadline, deadline <= now { return state.takeWaiter() }
            return nil
        }
        late?.resume(returning: .success(nil))
    }

    /// Takes the next step towards ending the program.
    private mutating func advance() {
        switch phase {
        case .running:
            phase = .asked
            closeInput()
        case .asked:
            phase = .terminated
            kill(-spawned.processID, SIGTERM)
        case .terminated, .killed:
            phase = .killed
            kill(-spawned.processID, SIGKILL)
        }
        phaseEnd = .now + .seconds(limits.ending)
    }

    private mutating func closeInput() {
        if isInputOpen { close(spawned.input) }
        isInputOpen = false
    }

    private mutating func writeInput() {
        let bytes = state.withLock { $0.outgoing }
        let count = bytes.withUnsafeBytes { write(spawned.input, $0.baseAddress, $0.count) }
        if count >= 0 {
            state.withLock { $0.outgoing.removeFirst(count) }
        } else if errno != EAGAIN, errno != EINTR {
            // The program no longer reads; its exit or its silence will show why. SIGPIPE is blocked in this thread.
            closeInput()
        }
    }

    private mutating func readOutput() {
        let count = Glibc.read(spawned.output, &buffer, buffer.count)
        if count < 0 { return }
        if count == 0 {
            isOutputOpen = false
            outputEnd = .now + Self.outputGrace
            return
        }
        if phase != .running { return }
        guard let lines = cutter.take(buffer[..<count]) else { return fail(.lineTooLong(limit: limits.line)) }
        if isFlood(lines.count) { return fail(.flood(linesPerSecond: limits.linesPerSecond)) }
        let waiter = state.update { state in
            guard state.failure == nil else { return nil as (DriverProcess.Waiter, [UInt8])? }
            state.lines += lines
            guard !state.lines.isEmpty, let waiter = state.takeWaiter() else { return nil }
            return (waiter, state.lines.removeFirst())
        }
        if let (waiter, line) = waiter { waiter.resume(returning: .success(line)) }
    }

    private mutating func isFlood(_ lines: Int) -> Bool {
        let now = ContinuousClock.now
        if windowStart.duration(to: now) >= .seconds(1) {
            windowStart = now
            linesInWindow = 0
        }
        linesInWindow += lines
        return linesInWindow > limits.linesPerSecond
    }

    /// Accepts no more lines; earlier lines can still be read.
    private mutating func fail(_ failure: DriverFailure) {
        let waiter = state.update { state in
            if state.failure == nil { state.failure = failure }
            return state.lines.isEmpty ? state.takeWaiter() : nil
        }
        waiter?.resume(returning: .failure(failure))
    }

    /// The program has ended: reads the rest of its output, and its status. The process is reaped only after its group was
    /// killed, so that the group's ID cannot belong to another one.
    private mutating func finish() {
        if isOutputOpen, phase == .running { drainOutput() }
        errorText.finish(spawned.errors)
        kill(-spawned.processID, SIGKILL)
        var status: Int32 = 0
        while waitpid(spawned.processID, &status, 0) < 0, errno == EINTR {}
        closeInput()
        for end in [spawned.output, spawned.errors, spawned.processDescriptor] { close(end) }
        let signal = status & 0x7F
        let ending = DriverProcess.Ending(
            failure: signal == 0 ? .ended(status: (status >> 8) & 0xFF) : .killed(signal: signal),
            wasForced: phase == .terminated || phase == .killed)
        fail(ending.failure)
        let stoppers = state.update { state in
            state.ending = ending
            defer { state.stoppers = [] }
            return state.stoppers
        }
        for stopper in stoppers { stopper.resume(returning: ending) }
    }

    /// Reads what the pipe holds when the program ends; a child that it left behind may keep writing.
    private mutating func drainOutput() {
        for _ in 0..<16 where isOutputOpen {
            var entry = pollfd(fd: spawned.output, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, 0) > 0 else { return }
            readOutput()
        }
    }
}

/// Splits a byte stream into lines.
package struct LineSplitter: Sendable {
    /// Maximum length of a line in bytes, without its line end.
    package let limit: Int
    private var rest: [UInt8] = []

    package init(limit: Int) {
        self.limit = limit
    }

    /// The lines that these bytes complete, including empty ones.
    /// - Returns: nil if a line is too long.
    package mutating func take(_ bytes: ArraySlice<UInt8>) -> [[UInt8]]? {
        var lines: [[UInt8]] = []
        var left = bytes
        while let end = left.firstIndex(of: UInt8(ascii: "\n")) {
            let line = rest + left[..<end]
            guard line.count <= limit else { return nil }
            lines.append(line)
            rest = []
            left = left[(end + 1)...]
        }
        rest += left
        return rest.count <= limit ? lines : nil
    }
}

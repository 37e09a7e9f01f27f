import CLinux
import Glibc
import Synchronization

/// A thread for blocking work, outside the pool that runs Swift's tasks.
package enum DedicatedThread {
    /// pthread_create(3) failed.
    package struct StartError: Error, Equatable {
        package let errno: Int32
    }

    /// Starts a detached thread that runs `body` and ends.
    ///
    /// All signals that may come from outside, including SIGPIPE, are blocked in it, so that they are handled on the
    /// program's own threads and never during `body`.
    ///
    /// - Parameters:
    ///   - name: at most 15 bytes, as shown by `top -H`.
    ///   - stackSize: in bytes; only the part that is used takes memory.
    package static func start(
        name: String, stackSize: Int = 1 << 20, _ body: @escaping @Sendable () -> Void
    ) throws(StartError) {
        let result = tryStart(name: name, stackSize: stackSize, body)
        if result != 0 { throw StartError(errno: result) }
    }

    /// The same, and returns what pthread_create(3) returned: 0, or why there is no thread.
    package static func tryStart(
        name: String, stackSize: Int = 1 << 20, _ body: @escaping @Sendable () -> Void
    ) -> Int32 {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setstacksize(&attributes, stackSize)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        // The new thread inherits the mask, so it can never receive such a signal.
        var outside = sigset_t()
        var before = sigset_t()
        sigfillset(&outside)
        for fault in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS] {
            sigdelset(&outside, fault)
        }
        pthread_sigmask(SIG_SETMASK, &outside, &before)
        // The thread releases the box; this function does if there is no thread.
        let box = Unmanaged.passRetained(Body(run: body, name: name))
        var thread = pthread_t()
        let result = pthread_create(&thread, &attributes, { DedicatedThread.runBody($0) }, box.toOpaque())
        if result != 0 { box.release() }
        pthread_sigmask(SIG_SETMASK, &before, nil)
        pthread_attr_destroy(&attributes)
        return result
    }

    /// Whether this many threads can run at once. Where they cannot, Swift's tasks wait for ever instead of failing, because
    /// the pool that runs them tries again and again to start a thread.
    package static func canRun(_ count: Int) -> Bool {
        let gate = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        gate.initialize(to: pthread_mutex_t())
        pthread_mutex_init(gate, nil)
        pthread_mutex_lock(gate)
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setstacksize(&attributes, 128 << 10)
        var threads: [pthread_t] = []
        while threads.count < count {
            var thread = pthread_t()
            let result = pthread_create(
                &thread, &attributes,
                { gate in
                    guard let gate = gate?.assumingMemoryBound(to: pthread_mutex_t.self) else { return nil }
                    pthread_mutex_lock(gate)
                    pthread_mutex_unlock(gate)
                    return nil
                }, gate)
            guard result == 0 else { break }
            threads.append(thread)
        }
        pthread_mutex_unlock(gate)
        for thread in threads { pthread_join(thread, nil) }
        pthread_attr_destroy(&attributes)
        pthread_mutex_destroy(gate)
        gate.deallocate()
        return threads.count == count
    }

    private final class Body: Sendable {
        let run: @Sendable () -> Void
        let name: String

        init(run: @escaping @Sendable () -> Void, name: String) {
            self.run = run
            self.name = name
        }
    }

    private static func runBody(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let argument else { return nil }
        let body = Unmanaged<Body>.fromOpaque(argument).takeRetainedValue()
        clover_name_thread(body.name)
        body.run()
        return nil
    }
}

extension DedicatedThread {
    /// Runs `work` on a dedicated thread and suspends the caller until it is done. Cancellation does not interrupt work
    /// in progress.
    ///
    /// If no thread can be started, it runs on the caller's thread, which is better than failing.
    package static func run<Value: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result = await withCheckedContinuation { (waiting: CheckedContinuation<Result<Value, Failure>, Never>) in
            let work = SingleUse(work)
            let body: @Sendable () -> Void = { waiting.resume(returning: work.run()) }
            if tryStart(name: "clover-blocking", body) != 0 { body() }
        }
        return try result.get()
    }
}

/// Work that runs once. What it holds, such as a lock, is released before its result is known: the thread may have to wait for a
/// processor right after that.
private final class SingleUse<Value: Sendable, Failure: Error>: Sendable {
    private let work: Mutex<(@Sendable () throws(Failure) -> Value)?>

    init(_ work: @escaping @Sendable () throws(Failure) -> Value) {
        self.work = Mutex(work)
    }

    func run() -> Result<Value, Failure> {
        guard let work = work.withLock({ $0.take() }) else { preconditionFailure("the work has run already") }
        return Result(catching: work)
    }
}

/// Runs blocking work for tasks on one dedicated thread, in order.
///
/// The thread starts with the first piece of work and ends after the last one when the object is released.
package final class SerialThread: Sendable {
    private typealias Work = @Sendable () -> Void

    private struct State: Sendable {
        var work: [Work] = []
        var isStarted = false
        var isClosed = false
    }

    private let state = Monitor(State())
    private let name: String

    /// - Parameter name: at most 15 bytes.
    package init(name: String) {
        self.name = name
    }

    deinit {
        state.update { $0.isClosed = true }
    }

    /// Queues `body` after all earlier work, without waiting for it.
    /// - Returns: false if the thread could not be started.
    package func post(_ body: @escaping @Sendable () -> Void) -> Bool {
        state.update { state in
            guard startIfNeeded(&state) else { return false }
            state.work.append(body)
            return true
        }
    }

    /// Runs `body` on the thread after all earlier work.
    /// - Returns: its result, or nil if the thread could not be started.
    package func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value? {
        await withCheckedContinuation { continuation in
            let work = SingleUse<Value, Never>(body)
            let isAccepted = post { continuation.resume(returning: work.run().get()) }
            if !isAccepted { continuation.resume(returning: nil) }
        }
    }

    /// False if there is no thread and none can be started.
    private func startIfNeeded(_ locked: inout State) -> Bool {
        if locked.isStarted { return true }
        // The thread captures the state, not self: it must not keep alive the object whose end it waits for.
        locked.isStarted = DedicatedThread.tryStart(name: name) { [state] in Self.serve(state) } == 0
        return locked.isStarted
    }

    private static func serve(_ state: Monitor<State>) {
        while true {
            let work: [Work] = state.wait { state in
                if state.work.isEmpty { return state.isClosed ? [] : nil }
                defer { state.work.removeAll() }
                return state.work
            }
            if work.isEmpty { return }
            for piece in work { piece() }
        }
    }
}

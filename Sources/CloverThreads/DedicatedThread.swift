import CLinux
internal import Glibc

/// A thread for work that blocks, outside the pool that runs Swift's tasks.
package enum DedicatedThread {
    /// pthread_create(3) failed.
    package struct StartError: Error, Equatable {
        package let errno: Int32
    }

    /// Starts a detached thread that runs `body` and ends.
    ///
    /// All signals that may come from outside are blocked in it, SIGPIPE too, so that they are handled on the
    /// program's own threads and never in the middle of `body`.
    /// - Parameters:
    ///   - name: at most 15 bytes, as seen in `top -H`.
    ///   - stackSize: in bytes; only what is touched costs memory.
    package static func start(
        name: String,
        stackSize: Int = 1 << 20,
        _ body: @escaping @Sendable () -> Void
    ) throws(StartError) {
        let result = create(Body(run: body, name: name), stackSize: stackSize)
        if result != 0 { throw StartError(errno: result) }
    }

    /// Returns what pthread_create(3) returned.
    private static func create(_ body: Body, stackSize: Int) -> Int32 {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setstacksize(&attributes, stackSize)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        // The new thread inherits the mask, so there is no moment in which it could take a signal.
        var outside = sigset_t()
        var before = sigset_t()
        sigfillset(&outside)
        for fault in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS] {
            sigdelset(&outside, fault)
        }
        pthread_sigmask(SIG_SETMASK, &outside, &before)
        // The box is released by the thread, or here when there is none.
        let box = Unmanaged.passRetained(body)
        var thread = pthread_t()
        let result = pthread_create(&thread, &attributes, { DedicatedThread.runBody($0) }, box.toOpaque())
        if result != 0 { box.release() }
        pthread_sigmask(SIG_SETMASK, &before, nil)
        pthread_attr_destroy(&attributes)
        return result
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

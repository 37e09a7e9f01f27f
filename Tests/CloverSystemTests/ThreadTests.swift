import CloverSystem
import Glibc
import Testing

@Suite("Threads for blocking work")
struct ThreadTests {
    @Test("run with every outside signal blocked, and the starter's mask is as before")
    func signals() throws {
        var before = sigset_t()
        pthread_sigmask(SIG_SETMASK, nil, &before)
        let blocked = Monitor<[Int32]?>(nil)
        try DedicatedThread.start(name: "test-signals") {
            var mask = sigset_t()
            pthread_sigmask(SIG_SETMASK, nil, &mask)
            let signals = [SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGSEGV].filter { sigismember(&mask, $0) == 1 }
            blocked.update { $0 = signals }
        }
        #expect(blocked.wait { $0 } == [SIGPIPE, SIGINT, SIGTERM, SIGHUP])
        var after = sigset_t()
        pthread_sigmask(SIG_SETMASK, nil, &after)
        #expect((1...31).allSatisfy { sigismember(&before, $0) == sigismember(&after, $0) })
    }

    @Test("have the stack that was asked for")
    func stack() throws {
        let depth = Monitor<Int?>(nil)
        try DedicatedThread.start(name: "test-stack", stackSize: 256 << 20) {
            depth.update { $0 = Self.descend(50_000) }
        }
        #expect(depth.wait { $0 } == 50_000)
    }

    /// Takes about 100 bytes of stack for each step.
    private static func descend(_ steps: Int) -> Int {
        if steps == 0 { return 0 }
        return withUnsafeTemporaryAllocation(of: Int.self, capacity: 8) { space in
            space.initialize(repeating: steps)
            return descend(space[7] - 1) + 1
        }
    }

    @Test("that cannot be started are an error")
    func refused() {
        // Smaller than PTHREAD_STACK_MIN is ignored, larger than the address space cannot be had.
        #expect(throws: DedicatedThread.StartError.self) {
            try DedicatedThread.start(name: "test-huge", stackSize: 1 << 60) {}
        }
    }

    private final class Held: Sendable {}

    private struct Trace: Sendable {
        weak let held: Held?
    }

    @Test(
        "what the work holds is released before its result is known, however busy the machine is", .serialized,
        arguments: [false, true])
    func released(isSerial: Bool) async throws {
        let isOver = Monitor(false)
        // Threads that wait for nothing, so that others have to wait for a processor.
        for _ in 0..<8 {
            try DedicatedThread.start(name: "test-busy") {
                while !isOver.update({ $0 }) { for _ in 0..<10_000 { _ = getppid() } }
            }
        }
        let thread = SerialThread(name: "test-serial")
        func trace() async -> Trace {
            let held = Held()
            if isSerial {
                _ = await thread.run { withExtendedLifetime(held) {} }
            } else {
                await DedicatedThread.run { withExtendedLifetime(held) {} }
            }
            return Trace(held: held)
        }
        var kept = 0
        for _ in 0..<500 where await trace().held != nil { kept += 1 }
        isOver.update { $0 = true }
        #expect(kept == 0)
    }
}

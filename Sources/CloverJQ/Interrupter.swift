internal import CJQ

/// Ends a run from another thread.
///
/// libjq has no call for this, so the interpreter's own halt flag is set, which it reads before each instruction.
/// Invariant behind `@unchecked Sendable`: the pipeline keeps interrupters only while their engines live, and uses them
/// under the lock under which they are taken away. The flag is a plain int written once; a run that starts at the same
/// moment clears it, but then asks `isStopped`, which was set before. One window stays open: should the program reach
/// `halt` itself within the same few instructions, libjq's assertion would abort a process that is being cancelled.
struct Interrupter: @unchecked Sendable {
    private let state: OpaquePointer?

    init(state: OpaquePointer?) {
        self.state = state
    }

    func interrupt() {
        guard let state, jq_halted(state) == 0 else { return }
        jq_halt(state, jv_invalid(), jv_invalid())
    }
}

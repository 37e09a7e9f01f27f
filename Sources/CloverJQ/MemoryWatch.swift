internal import CJQ
internal import Glibc

/// What happens when libjq gets no memory: the thread that asked stops where it is, because libjq would abort the process
/// otherwise, and whoever waits for it learns why.
///
/// libjq keeps what it has, so some room is held back for those who end the run.
final class MemoryWatch {
    private let onExhausted: () -> Void
    private let room: UnsafeMutableRawPointer?

    private static let roomSize = 16 << 20

    /// - Parameter onExhausted: called once, on the thread that got no memory.
    init(onExhausted: @escaping () -> Void) {
        self.onExhausted = onExhausted
        // Address space alone, which is what setrlimit(2) limits.
        let mapped = mmap(nil, Self.roomSize, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
        room = mapped == MAP_FAILED ? nil : mapped
    }

    deinit {
        release()
    }

    /// For this thread, on which values are parsed also while no program runs.
    func watchThread() {
        jv_nomem_handler(Self.handler, Unmanaged.passUnretained(self).toOpaque())
    }

    /// For a thread that runs a program: libjq makes the state's handler the thread's.
    ///
    /// The watch must live as long as the state.
    func watch(_ state: OpaquePointer?) {
        jq_set_nomem_handler(state, Self.handler, Unmanaged.passUnretained(self).toOpaque())
    }

    private static let handler: @convention(c) (UnsafeMutableRawPointer?) -> Void = { watch in
        guard let watch else { return }
        Unmanaged<MemoryWatch>.fromOpaque(watch).takeUnretainedValue().end()
    }

    private func end() -> Never {
        release()
        onExhausted()
        // Until the process ends.
        while true { pause() }
    }

    private func release() {
        if let room { munmap(room, Self.roomSize) }
    }
}

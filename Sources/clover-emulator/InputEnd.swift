import Glibc

/// Stops the process at the end of standard input.
enum InputEnd {
    /// Sends this process SIGTERM as soon as standard input ends. Input is discarded.
    static func stopsThisProcess() {
        var thread = pthread_t()
        let failure = pthread_create(
            &thread, nil,
            { _ in
                var bytes = (0 as UInt64, 0 as UInt64)
                while true {
                    let count = read(STDIN_FILENO, &bytes, MemoryLayout.size(ofValue: bytes))
                    if count == 0 || count < 0 && errno != EINTR { break }
                }
                kill(getpid(), SIGTERM)
                return nil
            }, nil)
        // Without the thread the end of the input would go unnoticed.
        if failure == 0 { pthread_detach(thread) } else { kill(getpid(), SIGTERM) }
    }
}

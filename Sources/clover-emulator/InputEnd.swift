import Glibc

/// The end of standard input, as a reason to stop.
enum InputEnd {
    /// Asks this process to stop, as SIGTERM does, as soon as standard input ends. What comes there is of no interest.
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
        // Without the thread nobody would hear of the end.
        if failure == 0 { pthread_detach(thread) } else { kill(getpid(), SIGTERM) }
    }
}

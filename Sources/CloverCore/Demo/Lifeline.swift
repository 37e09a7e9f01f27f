import Glibc

/// A pipe that nothing is written to: a program that has its reading end as standard input sees when we are gone, also
/// when we were killed.
struct Lifeline: ~Copyable {
    /// For the program.
    let reading: Int32
    private let writing: Int32

    /// - Throws: `CoreError.cannotRun`.
    init() throws(CoreError) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw .cannotRun(errno: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        reading = ends[0]
        writing = ends[1]
    }

    deinit {
        close(reading)
        close(writing)
    }
}

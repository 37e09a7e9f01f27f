import CloverThreads
import Glibc

/// A program that the tour started. Its output is ours, unless it goes to files.
struct DemoProcess: Sendable {
    let processID: pid_t

    /// - Parameters:
    ///   - output: a file for standard output, and one for standard error; nil leaves it where ours is.
    /// - Throws: `CoreError.cannotRun`.
    static func start(
        _ words: [String], variables: [String: String], output: (String, String)? = nil
    ) throws(CoreError) -> DemoProcess {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        if let output {
            let flags = O_WRONLY | O_CREAT | O_TRUNC
            posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.0, flags, 0o600)
            posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, output.1, flags, 0o600)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // A thread of Swift's task pool has its signals blocked, and the other program would inherit that.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let arguments = words.map { strdup($0) } + [nil]
        let environment = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for pointer in arguments + environment { free(pointer) } }
        var process: pid_t = 0
        let failure = posix_spawn(&process, words[0], &actions, &attributes, arguments, environment)
        guard failure == 0 else { throw .cannotRun(errno: failure) }
        return DemoProcess(processID: process)
    }

    /// Waits for its end; a cancelled task ends it.
    ///
    /// - Returns: its status as a shell reports it.
    func status() async -> Int32 {
        await withTaskCancellationHandler {
            await DedicatedThread.run {
                var status: Int32 = 0
                while waitpid(processID, &status, 0) < 0 {
                    if errno != EINTR { return 1 }
                }
                let signal = status & 0x7F
                return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
            }
        } onCancel: {
            end()
        }
    }

    /// Asks it to end.
    func end() {
        kill(processID, SIGTERM)
    }

    /// Whether it has ended; its status can still be waited for, so that its number is nobody else's yet.
    func hasEnded() -> Bool {
        var information = siginfo_t()
        let result = waitid(P_PID, id_t(processID), &information, WEXITED | WNOHANG | WNOWAIT)
        return result == 0 && information.si_signo == SIGCHLD
    }
}

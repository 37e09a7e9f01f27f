import CLinux
import CloverThreads
import Glibc

/// A program that is started and left alone.
enum DetachedProcess {
    /// posix_spawn(3) failed.
    struct StartError: Error, Equatable {
        let errno: Int32
    }

    /// `POSIX_SPAWN_SETSID` of <spawn.h>, which shows it only under `_GNU_SOURCE`.
    private static let newSession: Int16 = 0x80

    /// Starts a program in a session of its own: standard streams on /dev/null, no other descriptor, no signal ignored
    /// or blocked.
    /// - Parameters:
    ///   - words: the program's name and its arguments.
    ///   - ended: called once with its exit status as a shell has it, 128 and the signal's number for a signal; with nil
    ///     when the status cannot be had.
    static func start(
        _ path: String, _ words: [String], environment: [String: String],
        ended: @escaping @Sendable (Int32?) -> Void = { _ in }
    ) throws(StartError) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        // SwiftNIO opens the listening socket without close-on-exec, and a browser can run for days.
        posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        let flags = newSession | Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF)
        posix_spawnattr_setflags(&attributes, flags)

        let arguments = words.map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for pointer in arguments + variables { free(pointer) } }
        var process: pid_t = 0
        let failure = posix_spawn(&process, path, &actions, &attributes, arguments, variables)
        if failure != 0 { throw StartError(errno: failure) }
        reap(process, ended)
    }

    /// Takes the status of the process when it ends, so that it does not stay as a zombie.
    private static func reap(_ process: pid_t, _ ended: @escaping @Sendable (Int32?) -> Void) {
        do throws(DedicatedThread.StartError) {
            try DedicatedThread.start(name: "clover-browser", stackSize: 1 << 16) {
                var status: Int32 = 0
                var result = waitpid(process, &status, 0)
                while result == -1, errno == EINTR { result = waitpid(process, &status, 0) }
                // The macros of <sys/wait.h>: the low seven bits are the signal, the next byte is the status.
                let signal = status & 0x7F
                ended(result == process ? (signal == 0 ? status >> 8 & 0xFF : 128 + signal) : nil)
            }
        } catch {
            ended(nil)
            // It stays as a zombie until this process ends, and does no harm.
        }
    }
}

internal import CLinux
internal import Glibc

/// A program to be started, by posix_spawn(3).
///
/// It gets the three standard streams and no other descriptor: libraries open sockets without close-on-exec, and what we
/// start can outlive us. No signal is blocked, as they are in threads of Swift's task pool, and SIGPIPE is at its default,
/// also where systemd ignores it; other signals that our parent ignores stay ignored, as under nohup(1).
package struct ChildPlan: Sendable {
    /// posix_spawn(3) failed.
    package struct StartError: Error, Equatable {
        package let errno: Int32

        package init(errno: Int32) {
            self.errno = errno
        }
    }

    /// Whose signals from the terminal it gets.
    package enum Standing: Sendable {
        /// Ours: Ctrl-C reaches both.
        case ourGroup
        /// It leads a process group, whose number is its own.
        case ownGroup
        /// It leads a session, without our terminal.
        case ownSession
    }

    /// The program's file.
    package var path: String
    /// The program's name and its arguments.
    package var words: [String]
    /// Its whole environment.
    package var variables: [String: String]
    package var standing = Standing.ourGroup
    package var input = ChildStream.inherited
    package var output = ChildStream.inherited
    package var errors = ChildStream.inherited

    package init(path: String, words: [String], variables: [String: String]) {
        self.path = path
        self.words = words
        self.variables = variables
    }

    /// A line for `/bin/sh`.
    package init(shell line: String, variables: [String: String]) {
        self.init(path: "/bin/sh", words: ["/bin/sh", "-c", line], variables: variables)
    }

    /// `POSIX_SPAWN_SETSID` of <spawn.h>, which shows it only under `_GNU_SOURCE`.
    private static let newSession: Int32 = 0x80

    /// Starts it. Whoever calls this waits for its end (`ChildStatus`), so that it does not stay as a zombie.
    ///
    /// - Returns: its process number.
    package func start() throws(StartError) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, stream) in [input, output, errors].enumerated() {
            Self.connect(Int32(number), with: stream, &actions)
        }
        posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigaddset(&signals, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        var flags = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
        switch standing {
        case .ourGroup: break
        case .ownGroup: flags |= Int32(POSIX_SPAWN_SETPGROUP)
        case .ownSession: flags |= Self.newSession
        }
        posix_spawnattr_setflags(&attributes, Int16(flags))

        let arguments = words.map { strdup($0) } + [nil]
        let environment = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in arguments + environment { free(text) } }
        var process: pid_t = 0
        let failure = posix_spawn(&process, path, &actions, &attributes, arguments, environment)
        guard failure == 0 else { throw StartError(errno: failure) }
        return process
    }

    private static func connect(_ number: Int32, with stream: ChildStream, _ actions: inout posix_spawn_file_actions_t)
    {
        switch stream {
        case .inherited: break
        case .nothing: posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
        case .descriptor(let own): posix_spawn_file_actions_adddup2(&actions, own, number)
        case .file(let path):
            posix_spawn_file_actions_addopen(&actions, number, path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        }
    }
}

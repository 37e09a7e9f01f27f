import CLinux
import Glibc
import Synchronization

/// A program to be started with posix_spawn(3).
///
/// It gets the three standard streams and no other descriptor: libraries open sockets without close-on-exec, and a
/// child can outlive Clover. No signal is blocked, unlike in threads of Swift's task pool, and SIGPIPE is reset to its
/// default, even if systemd ignores it; other signals that Clover's parent ignores stay ignored, as under nohup(1).
package struct ChildPlan: Sendable {
    /// posix_spawn(3) failed.
    package struct StartError: Error, Equatable {
        package let errno: Int32

        package init(errno: Int32) {
            self.errno = errno
        }
    }

    /// Which signals from the terminal it receives.
    package enum Standing: Sendable {
        /// It shares Clover's process group: Ctrl-C reaches both.
        case ourGroup
        /// It leads its own process group, whose number is its process ID.
        case ownGroup
        /// It leads a session, without Clover's terminal.
        case ownSession
    }

    package var path: String
    /// The program's name and its arguments.
    package var words: [String]
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

    /// A command line for `/bin/sh`.
    package init(shell line: String, variables: [String: String]) {
        self.init(path: "/bin/sh", words: ["/bin/sh", "-c", line], variables: variables)
    }

    /// `POSIX_SPAWN_SETSID` of <spawn.h>, which is only declared under `_GNU_SOURCE`.
    private static let newSession: Int32 = 0x80

    /// Starts it. The caller must wait for its end (`ChildStatus`), so that it does not remain as a zombie.
    ///
    /// - Returns: its process ID.
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

/// The exit status of a child process.
package enum ChildStatus {
    /// Waits for its end and collects its status (waitpid(2)). Blocks: call it on a dedicated thread.
    ///
    /// - Returns: its status as a shell reports it: 128 plus the signal's number if a signal ended it.
    /// - Throws: the error of waitpid(2), if the status is unavailable.
    package static func wait(for process: Int32) throws(ChildPlan.StartError) -> Int32 {
        guard let status = raw(of: process) else { throw ChildPlan.StartError(errno: errno) }
        // The macros of <sys/wait.h>: the low seven bits are the signal, the next byte is the status.
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }

    /// The same as waitpid(2) reports it; nil, with errno set, if it is unavailable.
    package static func raw(of process: Int32) -> Int32? {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            if errno != EINTR { return nil }
        }
        return status
    }
}

extension ChildPlan {
    /// Starts the program and a thread that waits for its end. If there is no thread, the program is killed, so that
    /// nothing waits for a program whose end would not be noticed.
    ///
    /// - Parameters:
    ///   - thread: name of the thread, at most 15 bytes.
    ///   - startThread: returns 0, or why there is no thread (pthread_create(3)); for tests.
    ///   - onEnd: called on the thread, once, with the status from waitpid(2).
    /// - Returns: its process ID.
    package func start(
        watchedBy thread: String,
        startThread: (String, @escaping @Sendable () -> Void) -> Int32 = { DedicatedThread.tryStart(name: $0, $1) },
        onEnd: @escaping @Sendable (_ status: Int32) -> Void
    ) throws(StartError) -> Int32 {
        let process = try self.start()
        let errno = startThread(thread) { onEnd(ChildStatus.raw(of: process) ?? 0) }
        guard errno == 0 else {
            kill(process, SIGKILL)
            _ = ChildStatus.raw(of: process)
            throw StartError(errno: errno)
        }
        return process
    }
}

/// What a standard stream of a child process is connected to.
package enum ChildStream: Sendable {
    /// The same as Clover's.
    case inherited
    /// `/dev/null`.
    case nothing
    /// A descriptor of Clover's, which stays open here.
    case descriptor(Int32)
    /// A file, truncated or created with mode 0600, for writing.
    case file(String)
}

/// The environment of child processes, and of jq programs in this process.
package enum ChildVariables {
    /// Variables that contain Clover's secrets. The user's programs have their own credentials, or none.
    package static let secrets = [
        "CLOVER_ACCESS_TOKEN", "CLOVER_APP_SECRET", "CLOVER_WEBHOOK_AUTH_CODE", "CLOVER_WEBHOOK_SECRET",
    ]

    /// The variables without Clover's secrets.
    package static func withoutSecrets(_ variables: [String: String]) -> [String: String] {
        variables.filter { !secrets.contains($0.key) }
    }

    /// The variables in which libcurl looks for the proxy of https, in its order (libcurl-env(3)).
    package static let proxies = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]

    private static let passwordName = "PGPASSWORD"
    private static let hidden = Mutex<(databasePassword: String?, proxy: String?)>((nil, nil))

    /// The password for PostgreSQL that was removed from the environment of this process, where libpq would find it. Child
    /// processes still have it, because it is the user's own.
    package static var databasePassword: String? { hidden.withLock { $0.databasePassword } }

    /// The proxy that was removed from the environment of this process, because it has a password, and that libcurl would
    /// have found there.
    package static var proxy: String? { hidden.withLock { $0.proxy } }

    /// Removes the secrets from the environment of this process, which jq's `env` and `$ENV` read. The user's own are
    /// among them: what needs one has it from the variables that this program was started with, or from here.
    ///
    /// Call it at the start of the process, before any thread reads the environment (unsetenv(3)).
    ///
    /// - Parameters:
    ///   - variables: the environment of this process.
    ///   - isSecret: whether a variable is a secret by its name or value, apart from `secrets`.
    package static func hideSecretsFromProcess(
        _ variables: [String: String], where isSecret: (_ name: String, _ value: String) -> Bool
    ) {
        var found: Set<String> = []
        for (name, value) in variables where isSecret(name, value) { found.insert(name) }
        let proxy = proxies.first { variables[$0]?.isEmpty == false }
        hidden.withLock {
            $0.databasePassword = variables[passwordName]
            $0.proxy = proxy.flatMap { found.contains($0) ? variables[$0] : nil }
        }
        for name in found.union(secrets + [passwordName]) { unsetenv(name) }
    }
}

import CLinux
import CloverCore
import CloverThreads
import Glibc

/// A line of shell that a user gave us to run.
enum ShellCommand {
    /// No program that we start needs these.
    private static let secrets = ["CLOVER_ACCESS_TOKEN", "CLOVER_APP_SECRET"]

    /// The variables for a program of the user's.
    static func withoutSecrets(_ variables: [String: String]) -> [String: String] {
        variables.filter { !secrets.contains($0.key) }
    }

    /// Runs `/bin/sh -c line` to its end, its output on our standard error, because ours is for data.
    ///
    /// - Parameters:
    ///   - variables: in addition to those of this process, less its secrets.
    ///   - input: small enough for a pipe (pipe(7)), so that writing it waits for nobody.
    /// - Returns: its status as a shell reports it: 128 and the signal's number when a signal ended it.
    static func run(
        _ line: String, variables: [String: String], own: [String: String], input: [UInt8]
    ) async throws -> Int32 {
        let all = withoutSecrets(own).merging(variables) { $1 }
        return try await DedicatedThread.run {
            let child = try start(line, variables: all, input: input)
            var status: Int32 = 0
            while waitpid(child, &status, 0) < 0 {
                guard errno == EINTR else { throw CoreError.cannotRun(errno: errno) }
            }
            let signal = status & 0x7F
            return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
        }
    }

    /// Copies that end with nil, to be freed by the caller.
    private static func cStrings(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
        texts.map { strdup($0) } + [nil]
    }

    private static func start(_ line: String, variables: [String: String], input: [UInt8]) throws -> pid_t {
        var ends: [Int32] = [0, 0]
        guard pipe2(&ends, O_CLOEXEC) == 0 else { throw CoreError.cannotRun(errno: errno) }
        defer { for end in ends { close(end) } }
        // The thread has SIGPIPE blocked, so a child that reads nothing is an error that is no error.
        _ = input.withUnsafeBytes { write(ends[1], $0.baseAddress, $0.count) }

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

        var arguments = Self.cStrings(["/bin/sh", "-c", line])
        var environment = Self.cStrings(variables.map { "\($0.key)=\($0.value)" })
        defer { for text in arguments + environment { free(text) } }
        var child: pid_t = 0
        let result = posix_spawn(&child, "/bin/sh", &actions, &attributes, &arguments, &environment)
        guard result == 0 else { throw CoreError.cannotRun(errno: result) }
        return child
    }
}

internal import CLinux
internal import Glibc

/// A driver program that was started, and our ends of its pipes.
struct SpawnedDriver: Sendable {
    /// Also the number of its process group.
    let processID: pid_t
    /// Readable when the process has ended (pidfd_open(2)).
    let processDescriptor: Int32
    let input: Int32
    let output: Int32
    let errors: Int32

    /// Variables that no driver is given: it has credentials of its own, or none.
    private static let secrets = ["CLOVER_ACCESS_TOKEN", "CLOVER_APP_SECRET"]

    /// Starts the program as the leader of a process group of its own, so that Ctrl-C does not reach it before we do,
    /// with no other descriptor and no signal ignored or blocked.
    static func start(_ command: DriverCommand, variables: [String: String]) throws(DriverFailure) -> SpawnedDriver {
        let path = try command.file(path: variables["PATH"])
        var pipes: [[Int32]] = []
        func closeAll() { for end in pipes.joined() { close(end) } }
        for _ in 0..<3 {
            var ends: [Int32] = [0, 0]
            guard pipe2(&ends, O_CLOEXEC) == 0 else {
                let number = errno
                closeAll()
                throw .notStarted(errno: number)
            }
            pipes.append(ends)
        }
        let (input, output, errors) = (pipes[0], pipes[1], pipes[2])
        var process: pid_t = 0
        let failure = spawn(&process, path, command.words, variables, [input[0], output[1], errors[1]])
        guard failure == 0 else {
            closeAll()
            throw .notStarted(errno: failure)
        }
        for end in [input[0], output[1], errors[1]] { close(end) }
        for end in [input[1], output[0], errors[0]] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        let descriptor = pidfd_open(process, 0)
        if descriptor < 0 {
            let number = errno
            kill(-process, SIGKILL)
            waitpid(process, nil, 0)
            for end in [input[1], output[0], errors[0]] { close(end) }
            throw .notStarted(errno: number)
        }
        return SpawnedDriver(
            processID: process, processDescriptor: descriptor, input: input[1], output: output[0], errors: errors[0])
    }

    /// Returns what posix_spawn(3) returned.
    private static func spawn(
        _ process: inout pid_t, _ path: String, _ words: [String], _ variables: [String: String], _ streams: [Int32]
    ) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, stream) in streams.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, stream, Int32(number))
        }
        // SwiftNIO opens sockets without close-on-exec.
        posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        posix_spawnattr_setflags(&attributes, Int16(flags))

        let arguments = words.map { strdup($0) } + [nil]
        let environment =
            variables.filter { !secrets.contains($0.key) }.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for pointer in arguments + environment { free(pointer) } }
        return posix_spawn(&process, path, &actions, &attributes, arguments, environment)
    }
}

import CLinux
import Glibc
import Synchronization

/// Starts a process with `posix_spawn(3)`.
///
/// Foundation's `Process` cannot close a standard descriptor or report the memory that a process used, and signals
/// ignored by the test runner stay ignored in its children.
struct SpawnPlan {
    /// A started process and the test's ends of its pipes, which the caller must close.
    struct Spawned {
        let pid: pid_t
        let input: Int32?
        let output: Int32?
        let errors: Int32
    }

    /// Held while a descriptor exists that is not yet close-on-exec, so that no child started meanwhile inherits it and
    /// keeps a pipe or a connection open. (Swift exposes neither `pipe2` nor `accept4`.)
    static let descriptors = Mutex(())

    let executable: String
    let arguments: [String]
    let environment: [String: String]
    let directory: String?

    func run(input: CommandRunner.Input, output: CommandRunner.Output) throws -> Spawned {
        try Self.descriptors.withLock { _ in
            var actions = posix_spawn_file_actions_t()
            posix_spawn_file_actions_init(&actions)
            var childEnds: [Int32] = []
            defer {
                posix_spawn_file_actions_destroy(&actions)
                for descriptor in childEnds { close(descriptor) }
            }
            var inputEnd: Int32?
            switch input {
            case .nothing: posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
            case .file(let path): posix_spawn_file_actions_addopen(&actions, 0, path, O_RDONLY, 0)
            case .closed: posix_spawn_file_actions_addclose(&actions, 0)
            case .bytes, .text:
                let ends = try Self.makePipe()
                posix_spawn_file_actions_adddup2(&actions, ends.reading, 0)
                childEnds.append(ends.reading)
                inputEnd = ends.writing
            }
            var outputEnd: Int32?
            switch output {
            case .file(let path): posix_spawn_file_actions_addopen(&actions, 1, path, O_WRONLY | O_CREAT, 0o600)
            case .closed: posix_spawn_file_actions_addclose(&actions, 1)
            case .kept, .brokenPipe:
                let ends = try Self.makePipe()
                posix_spawn_file_actions_adddup2(&actions, ends.writing, 1)
                childEnds.append(ends.writing)
                if case .kept = output { outputEnd = ends.reading } else { close(ends.reading) }
            }
            let errors = try Self.makePipe()
            posix_spawn_file_actions_adddup2(&actions, errors.writing, 2)
            childEnds.append(errors.writing)
            let pid = try start(&actions)
            return Spawned(pid: pid, input: inputEnd, output: outputEnd, errors: errors.reading)
        }
    }

    /// Starts the process as the leader of a new group, or as `flags` say, with default signal handling and no
    /// blocked signals.
    func start(
        _ actions: inout posix_spawn_file_actions_t, flags: Int16 = Int16(POSIX_SPAWN_SETPGROUP)
    ) throws -> pid_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var all = sigset_t()
        sigfillset(&all)
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK) | flags)

        // Last, because the files above are named from the runner's own folder.
        if let directory { posix_spawn_file_actions_addchdir_np(&actions, directory) }
        let argumentPointers = ([executable] + arguments).map { strdup($0) } + [nil]
        let environmentPointers = environment.sorted { $0.key < $1.key }.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer {
            for pointer in argumentPointers + environmentPointers { free(pointer) }
        }
        var pid: pid_t = 0
        let failure = posix_spawn(&pid, executable, &actions, &attributes, argumentPointers, environmentPointers)
        guard failure == 0 else { throw CommandError.notStarted(program: executable, errorNumber: failure) }
        return pid
    }

    private static func makePipe() throws -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw CommandError.notStarted(program: "a pipe", errorNumber: errno) }
        for descriptor in ends { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }
}

extension SpawnPlan {
    /// `POSIX_SPAWN_SETSID` of <spawn.h>, which is visible only with `_GNU_SOURCE`.
    private static let newSession: Int16 = 0x80
    /// `TIOCSPTLCK` and `TIOCGPTN` of ioctl_tty(2); Swift exposes neither them nor posix_openpt(3).
    private static let setLock: UInt = 0x4004_5431
    private static let getNumber: UInt = 0x8004_5430

    /// Starts the process on a new terminal (pty(7)), as the leader of a session with that controlling terminal.
    /// - Parameter output: a file for stdout instead of the terminal; nil for the terminal.
    /// - Returns: the process, the other end of the terminal, and its modes before the process began (termios(3)).
    func run(columns: Int, rows: Int, output: String?) throws -> (pid: pid_t, terminal: Int32, modes: [UInt32]) {
        try Self.descriptors.withLock { _ in
            let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
            var number: UInt32 = 0
            var lock: Int32 = 0
            guard terminal >= 0, ioctl(terminal, Self.setLock, &lock) == 0,
                ioctl(terminal, Self.getNumber, &number) == 0
            else { throw CommandError.notStarted(program: "a terminal", errorNumber: errno) }
            let name = "/dev/pts/\(number)"
            var size = winsize(
                ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
            _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)

            var actions = posix_spawn_file_actions_t()
            posix_spawn_file_actions_init(&actions)
            defer { posix_spawn_file_actions_destroy(&actions) }
            // The first terminal that a session leader opens becomes its controlling terminal.
            posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0)
            posix_spawn_file_actions_adddup2(&actions, 0, 2)
            if let output {
                posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT, 0o600)
            } else {
                posix_spawn_file_actions_adddup2(&actions, 0, 1)
            }
            // Before the program can change them.
            let modes = TerminalSession.modes(of: terminal)
            return (try start(&actions, flags: Self.newSession), terminal, modes)
        }
    }
}

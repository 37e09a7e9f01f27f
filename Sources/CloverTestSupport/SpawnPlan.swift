import Glibc
import Synchronization

/// The start of one process through `posix_spawn(3)`.
///
/// Foundation's `Process` cannot close a standard descriptor, nor tell the memory a process used, and leaves the
/// signals that the test runner ignores ignored in the child.
struct SpawnPlan {
    /// A started process and the test's ends of its pipes, which the caller closes.
    struct Spawned {
        let pid: pid_t
        let input: Int32?
        let output: Int32?
        let errors: Int32
    }

    /// Held while a descriptor exists that is not yet close-on-exec, so that no child started meanwhile inherits it
    /// and keeps a pipe or a connection open. (Swift sees neither `pipe2` nor `accept4`.)
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

    /// Starts the process as the leader of its own group, or as `flags` say, with every signal at its default and none
    /// blocked.
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

        var words = [executable] + arguments
        // env(1) changes the folder and becomes the program, under the same process number.
        if let directory { words = ["/usr/bin/env", "-C", directory] + words }
        let argumentPointers = words.map { strdup($0) } + [nil]
        let environmentPointers = environment.sorted { $0.key < $1.key }.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer {
            for pointer in argumentPointers + environmentPointers { free(pointer) }
        }
        var pid: pid_t = 0
        let failure = posix_spawn(&pid, words[0], &actions, &attributes, argumentPointers, environmentPointers)
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

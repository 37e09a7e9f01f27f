import Glibc
import Synchronization

extension SpawnPlan {
    /// `POSIX_SPAWN_SETSID` of <spawn.h>, which shows it only under `_GNU_SOURCE`.
    private static let newSession: Int16 = 0x80
    /// `TIOCSPTLCK` and `TIOCGPTN` of ioctl_tty(2); Swift sees neither them nor posix_openpt(3).
    private static let setLock: UInt = 0x4004_5431
    private static let getNumber: UInt = 0x8004_5430

    /// Starts the process on a new terminal (pty(7)), as the leader of a session that has it.
    /// - Parameter output: where its stdout goes instead of the terminal; nil for nowhere else.
    /// - Returns: the process, and the terminal's other end.
    func run(columns: Int, rows: Int, output: String?) throws -> (pid: pid_t, terminal: Int32) {
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
            // The first terminal that the leader of a session opens becomes its own.
            posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0)
            posix_spawn_file_actions_adddup2(&actions, 0, 2)
            if let output {
                posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT, 0o600)
            } else {
                posix_spawn_file_actions_adddup2(&actions, 0, 1)
            }
            return (try start(&actions, flags: Self.newSession), terminal)
        }
    }
}

import Glibc

/// Looks whether another program of our pipeline writes to our terminal what it reads from us: `clover get ... | jq .`.
enum TerminalReaders {
    /// The programs of a pipeline are one process group (credentials(7)); where there are several, those whose standard
    /// output is the terminal of our standard error count, and those of which it cannot be told. False when standard
    /// output is no pipe, because then nobody else has it.
    static func areThere() -> Bool {
        var output = stat()
        var terminal = stat()
        guard fstat(STDOUT_FILENO, &output) == 0, output.st_mode & S_IFMT == S_IFIFO,
            fstat(STDERR_FILENO, &terminal) == 0
        else { return false }
        guard let directory = opendir("/proc") else { return true }
        defer { closedir(directory) }
        let group = getpgrp()
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard let process = pid_t(name), process != getpid(), getpgid(process) == group else { continue }
            var other = stat()
            // stat(2) follows the link to the open file (proc(5)).
            let isKnown = stat("/proc/\(process)/fd/\(STDOUT_FILENO)", &other) == 0
            if isKnown ? other.st_rdev == terminal.st_rdev && other.st_mode & S_IFMT == S_IFCHR : errno != ENOENT {
                return true
            }
        }
        return false
    }
}

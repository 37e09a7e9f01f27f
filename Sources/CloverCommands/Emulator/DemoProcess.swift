import CloverCore
import CloverSystem
import FoundationEssentials
import Glibc

/// A program that the demo started. It shares this process's output, unless its output goes to files.
struct DemoProcess: Sendable {
    let processID: pid_t

    /// - Parameters:
    ///   - input: its standard input.
    ///   - output: files for standard output and standard error; nil to share those of this process.
    /// - Throws: `CoreError.cannotRun`.
    static func start(
        _ words: [String], variables: [String: String], input: ChildStream = .nothing, output: (String, String)? = nil
    ) throws(CoreError) -> DemoProcess {
        var plan = ChildPlan(path: words[0], words: words, variables: variables)
        plan.input = input
        if let output {
            plan.output = .file(output.0)
            plan.errors = .file(output.1)
        }
        do throws(ChildPlan.StartError) {
            return DemoProcess(processID: try plan.start())
        } catch {
            throw .cannotRun(errno: error.errno)
        }
    }

    /// Waits until it exits; cancellation terminates it.
    ///
    /// - Returns: its exit status as a shell reports it.
    func status() async -> Int32 {
        await withTaskCancellationHandler {
            await DedicatedThread.run {
                do throws(ChildPlan.StartError) {
                    return try ChildStatus.wait(for: processID)
                } catch {
                    return 1
                }
            }
        } onCancel: {
            end()
        }
    }

    /// Sends SIGTERM.
    func end() {
        kill(processID, SIGTERM)
    }

    /// Whether it has exited. It stays a zombie until `status` reaps it, so that its process id cannot be reused.
    func hasEnded() -> Bool {
        var information = siginfo_t()
        let result = waitid(P_PID, id_t(processID), &information, WEXITED | WNOHANG | WNOWAIT)
        return result == 0 && information.si_signo == SIGCHLD
    }
}

/// The demo's directory, which other users cannot read.
struct DemoDirectory: Sendable {
    let path: String
    /// The directory's descriptor, locked (flock(2)) for the lifetime of the process, even if it is killed.
    private let lock: Int32

    /// Minimum age in seconds for removal: a younger directory may not be locked yet, or a command whose demo was killed may
    /// still write to it.
    private static let minimumAge = 60

    /// Makes a new directory, and removes those of demos that were killed.
    ///
    /// - Throws: `CoreError.unwritableFile`.
    init(variables: [String: String]) throws(CoreError) {
        let base = variables.nonEmpty("TMPDIR") ?? "/tmp"
        Self.sweep(base)
        var template = Array("\(base)/clover-demo-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw .unwritableFile(path: base, errno: errno) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        lock = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        // On a file system without locks, the next demo leaves this directory alone, or removes it after a minute.
        if lock >= 0 { _ = flock(lock, LOCK_EX | LOCK_NB) }
    }

    /// Removes directories of this user that no demo has locked.
    private static func sweep(_ base: String) {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: base)
        } catch {
            // The error is reported when the new directory is made.
            return
        }
        for name in names where name.hasPrefix("clover-demo-") && name.utf8.count == "clover-demo-XXXXXX".utf8.count {
            let path = "\(base)/\(name)"
            let folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard folder >= 0 else { continue }
            defer { close(folder) }
            var found = stat()
            guard fstat(folder, &found) == 0, found.st_uid == geteuid(), found.st_mode & 0o777 == 0o700,
                found.st_mtim.tv_sec < time(nil) - minimumAge, flock(folder, LOCK_EX | LOCK_NB) == 0
            else { continue }
            do {
                try FileManager.default.removeItem(atPath: path)
            } catch {
                // Does not affect this demo; the next one tries again.
            }
        }
    }

    subscript(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file with mode 600.
    func write(_ name: String, _ text: String) throws(CoreError) {
        let descriptor = open(self[name], O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .unwritableFile(path: self[name], errno: errno) }
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
            throw .unwritableFile(path: self[name], errno: errno)
        }
    }

    /// The first line of a file; nil until it is complete.
    func firstLine(of name: String) -> String? {
        guard let bytes = FileManager.default.contents(atPath: self[name]),
            let end = bytes.firstIndex(of: UInt8(ascii: "\n"))
        else { return nil }
        return String(decoding: bytes[..<end], as: UTF8.self)
    }

    func remove() throws {
        defer { if lock >= 0 { close(lock) } }
        try FileManager.default.removeItem(atPath: path)
    }
}

/// A pipe without data. A program with its reading end as standard input sees the end of input when this process exits,
/// even if it is killed.
struct LivenessPipe: ~Copyable {
    /// The end for the program.
    let reading: Int32
    private let writing: Int32

    /// - Throws: `CoreError.cannotRun`.
    init() throws(CoreError) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw .cannotRun(errno: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        reading = ends[0]
        writing = ends[1]
    }

    deinit {
        close(reading)
        close(writing)
    }
}

import CloverSystem
import Glibc

/// A folder of one test, removed with everything in it.
final class TemporaryFolder {
    struct Failure: Error {
        let errno: Int32
    }

    let path: String

    init() throws {
        var template = Array("/tmp/clover-callback-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw Failure(errno: errno) }
        path = String(cString: made)
    }

    deinit {
        for name in names { unlink("\(path)/\(name)") }
        rmdir(path)
    }

    /// Makes a program. Another process writes it: a descriptor of ours could be inherited by a process that some other
    /// test is starting just then, and a file that is open for writing cannot be executed (execve(2), ETXTBSY).
    func addProgram(_ name: String, _ text: String) async throws -> String {
        let file = "\(path)/\(name)"
        let words = ["/bin/sh", "-c", "printf %s \"$1\" >\"$2\" && chmod 700 \"$2\"", "sh", text, file]
        try await DedicatedThread.run { () throws(Failure) -> Void in
            let arguments = words.map { strdup($0) } + [nil]
            defer { for argument in arguments { free(argument) } }
            var process: pid_t = 0
            let failure = posix_spawn(&process, words[0], nil, nil, arguments, [nil])
            if failure != 0 { throw Failure(errno: failure) }
            var status: Int32 = 0
            while waitpid(process, &status, 0) == -1, errno == EINTR {}
            if status != 0 { throw Failure(errno: EIO) }
        }
        return file
    }

    /// The text of a file; nil when there is none.
    func text(_ name: String) -> String? {
        let descriptor = open("\(path)/\(name)", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count <= 0 { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer[..<count]
        }
    }

    private var names: [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            names.append(
                withUnsafePointer(to: entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        return names.filter { $0 != "." && $0 != ".." }
    }
}

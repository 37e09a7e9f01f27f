import CloverCore
import Glibc

/// Locates the `clover-emulator` program, and starts it in place of this process.
enum EmulatorProgram {
    private static let name = "clover-emulator"

    /// Replaces this process with the emulator. Throws `CoreError.programMissing`.
    static func replaceProcess(
        arguments: [String], variables: [String: String]
    ) throws(CoreError) -> Never {
        try ExternalProgram.replaceProcess(name, at: candidates(variables), arguments: arguments)
    }

    /// Finds the program next to this one or on `PATH`.
    ///
    /// - Throws: `CoreError.programMissing`.
    static func locate(variables: [String: String]) throws(CoreError) -> String {
        guard let path = candidates(variables).first(where: { access($0, X_OK) == 0 }) else {
            throw .programMissing(name)
        }
        return path
    }

    private static func candidates(_ variables: [String: String]) -> [String] {
        (ownFolder.map { ["\($0)/\(name)"] } ?? []) + onPath(variables["PATH"] ?? "")
    }

    /// The directory of this program.
    static var ownFolder: String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        guard count > 0 else { return nil }
        let path = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard let slash = path.lastIndex(of: "/") else { return nil }
        return String(path[..<slash])
    }

    private static func onPath(_ path: String) -> [String] {
        path.split(separator: ":").filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }
    }
}

/// Programs that take the place of this process.
enum ExternalProgram {
    /// Replaces this process with the first of `paths` that can be run. It inherits the environment without Clover's
    /// secrets, which this process has removed from its own.
    ///
    /// A program that is being written, as by an update (ETXTBSY), is tried again for a second.
    ///
    /// - Parameter name: for the error.
    /// - Throws: `CoreError.programUnusable` about the first that exists and cannot be run, else `programMissing`.
    static func replaceProcess(_ name: String, at paths: [String], arguments: [String]) throws(CoreError) -> Never {
        var unusable: (path: String, number: CInt)?
        for path in paths {
            var vector: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) }
            vector.append(nil)
            // Threads of Swift's task pool block signals, and the program would inherit that.
            var signals = sigset_t()
            sigemptyset(&signals)
            pthread_sigmask(SIG_SETMASK, &signals, nil)
            execv(path, vector)
            for _ in 0..<20 where errno == ETXTBSY {
                usleep(50_000)
                execv(path, vector)
            }
            let number = errno
            for pointer in vector { free(pointer) }
            // Of a file that is there, ENOENT is about its interpreter.
            if unusable == nil, number != ENOTDIR, access(path, F_OK) == 0 { unusable = (path, number) }
        }
        if let unusable { throw .programUnusable(path: unusable.path, errno: unusable.number) }
        throw .programMissing(name)
    }
}

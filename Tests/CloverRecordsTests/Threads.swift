import Glibc
import Testing

/// The threads of this process, from /proc.
enum Threads {
    struct StillThere: Error {
        let name: String
        let count: Int
    }

    /// Waits until no thread has this name.
    static func waitUntilGone(named name: String, limitInSeconds: Int) async throws {
        let deadline = ContinuousClock.now.advanced(by: .seconds(limitInSeconds))
        while count(named: name) > 0 {
            guard ContinuousClock.now < deadline else { throw StillThere(name: name, count: count(named: name)) }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    static func count(named name: String) -> Int {
        guard let directory = opendir("/proc/self/task") else { return 0 }
        defer { closedir(directory) }
        var count = 0
        while let entry = readdir(directory) {
            let id = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard let file = fopen("/proc/self/task/\(id)/comm", "r") else { continue }
            defer { fclose(file) }
            var line = [UInt8](repeating: 0, count: 32)
            let length = fread(&line, 1, line.count, file)
            if line.prefix(length).elementsEqual("\(name)\n".utf8) { count += 1 }
        }
        return count
    }
}

import Glibc

/// The threads of this process, from /proc, and waiting for a condition.
enum Threads {
    struct TookTooLong: Error {}

    static func count(namePrefix: String) -> Int { threads(namePrefix: namePrefix).count }

    static func waitUntilGone(namePrefix: String, limitInSeconds: Int) async throws {
        try await waitUntil(limitInSeconds: limitInSeconds) { threads(namePrefix: namePrefix).isEmpty }
    }

    /// Waits until such a thread uses the processor.
    static func waitUntilRunning(namePrefix: String, limitInSeconds: Int) async throws {
        try await waitUntil(limitInSeconds: limitInSeconds) {
            threads(namePrefix: namePrefix).contains { $0.state == "R" }
        }
    }

    /// Waits until such threads exist and have not used the processor for half a second.
    static func waitUntilIdle(namePrefix: String, limitInSeconds: Int) async throws {
        var last: [Thread] = []
        var since = ContinuousClock.now
        try await waitUntil(limitInSeconds: limitInSeconds) {
            let threads = threads(namePrefix: namePrefix)
            if threads.isEmpty || threads != last {
                last = threads
                since = .now
            }
            return ContinuousClock.now - since > .milliseconds(500)
        }
    }

    static func waitUntil(limitInSeconds: Int, _ condition: () -> Bool) async throws {
        let deadline = ContinuousClock.now.advanced(by: .seconds(limitInSeconds))
        while !condition() {
            guard ContinuousClock.now < deadline else { throw TookTooLong() }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    private struct Thread: Equatable {
        let id: String
        let state: Character
        /// User and system time, in ticks.
        let time: [Substring]
    }

    private static func threads(namePrefix: String) -> [Thread] {
        guard let directory = opendir("/proc/self/task") else { return [] }
        defer { closedir(directory) }
        var threads: [Thread] = []
        while let entry = readdir(directory) {
            let id = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard let file = fopen("/proc/self/task/\(id)/stat", "r") else { continue }
            defer { fclose(file) }
            var line = [UInt8](repeating: 0, count: 512)
            let count = fread(&line, 1, line.count, file)
            // "id (name) state ...", see proc(5).
            let text = String(decoding: line.prefix(count), as: UTF8.self)
            guard let open = text.firstIndex(of: "("), let end = text.lastIndex(of: ")") else { continue }
            guard text[text.index(after: open)..<end].hasPrefix(namePrefix) else { continue }
            let fields = text[text.index(after: end)...].split(separator: " ")
            guard fields.count > 13, let state = fields[0].first else { continue }
            threads.append(Thread(id: id, state: state, time: [fields[11], fields[12]]))
        }
        return threads
    }
}

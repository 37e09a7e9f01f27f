import Foundation

/// How long the long proofs are: short in `make test`, in full in `make soak`, which sets `CLOVER_TEST_SCALE=full`.
package enum Scale {
    package static let isFull = ProcessInfo.processInfo.environment["CLOVER_TEST_SCALE"] == "full"

    package static func pick<Value>(_ short: Value, full: Value) -> Value { isFull ? full : short }

    /// Adds a line to the file named by `CLOVER_SOAK_RECORD`, from which `Scripts/soak` makes its table. Called when
    /// everything it says has been checked.
    package static func report(_ proof: String, count: String, result: String) throws {
        guard let path = ProcessInfo.processInfo.environment["CLOVER_SOAK_RECORD"] else { return }
        let line = "| \(proof) | \(count) | \(result) |\n"
        if !FileManager.default.fileExists(atPath: path) {
            _ = FileManager.default.createFile(atPath: path, contents: nil)
        }
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try file.seekToEnd()
        try file.write(contentsOf: Data(line.utf8))
        try file.close()
    }
}

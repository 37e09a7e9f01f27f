import Foundation

/// The `jq` program of this machine, which the tests compare with.
struct RealJQ {
    struct Missing: Error {}

    struct Answer: Sendable {
        let output: [UInt8]
        let errors: String
        let status: Int32
    }

    private let path: String

    /// Throws when there is none on PATH: without it the comparison proves nothing.
    init() throws {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        guard let folder = folders.first(where: { FileManager.default.isExecutableFile(atPath: "\($0)/jq") }) else {
            throw Missing()
        }
        path = "\(folder)/jq"
    }

    /// Runs `jq -c` with further arguments on the input. Files carry the streams, so nothing can block.
    func run(_ arguments: [String], input: [UInt8], home: String? = nil) throws -> Answer {
        let folder = try TemporaryFolder()
        let files = ["in", "out", "err"].map { folder.url.appending(path: $0) }
        try Data(input).write(to: files[0])
        for file in files[1...] { try Data().write(to: file) }
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = ["-c"] + arguments
        process.standardInput = try FileHandle(forReadingFrom: files[0])
        process.standardOutput = try FileHandle(forWritingTo: files[1])
        process.standardError = try FileHandle(forWritingTo: files[2])
        if let home {
            process.environment = ProcessInfo.processInfo.environment.merging(["HOME": home]) { $1 }
        }
        try process.run()
        process.waitUntilExit()
        return Answer(
            output: Array(try Data(contentsOf: files[1])),
            errors: String(decoding: try Data(contentsOf: files[2]), as: UTF8.self),
            status: process.terminationStatus)
    }
}

/// A folder that is removed with the object.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "clover-jq-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }
}

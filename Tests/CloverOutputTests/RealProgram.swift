import Foundation

/// A program of this machine that the tests compare with.
struct RealProgram {
    struct Missing: Error {
        let name: String
    }

    struct Failed: Error {
        let status: Int32
        let errors: String
    }

    private let path: String

    /// Throws when it is not on PATH: without it the comparison proves nothing.
    init(_ name: String) throws {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        guard let folder = folders.first(where: { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") })
        else { throw Missing(name: name) }
        path = "\(folder)/\(name)"
    }

    /// Runs it to its end and gives its standard output. Files carry the streams, so nothing can block.
    func run(_ arguments: [String], input: [UInt8]) throws -> [UInt8] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "clover-records-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = ["in", "out", "err"].map { folder.appending(path: $0) }
        try Data(input).write(to: files[0])
        for file in files[1...] { try Data().write(to: file) }
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.standardInput = try FileHandle(forReadingFrom: files[0])
        process.standardOutput = try FileHandle(forWritingTo: files[1])
        process.standardError = try FileHandle(forWritingTo: files[2])
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            let errors = String(decoding: try Data(contentsOf: files[2]), as: UTF8.self)
            throw Failed(status: process.terminationStatus, errors: errors)
        }
        return Array(try Data(contentsOf: files[1]))
    }
}

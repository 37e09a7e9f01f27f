import Foundation
import Testing

/// The built emulator in a separate process, which is stopped on release.
final class EmulatorProcess {
    let process = Process()
    let port: UInt16
    let merchant: String
    let token: String
    let otherTokens: [String]
    let ready: Node

    /// The binary under test: `CLOVER_EMULATOR_BINARY`, or the one next to the test bundle.
    static var binary: URL {
        if let path = ProcessInfo.processInfo.environment["CLOVER_EMULATOR_BINARY"] {
            return URL(fileURLWithPath: path)
        }
        let bundle = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        let beside = bundle.appendingPathComponent("clover-emulator")
        if FileManager.default.isExecutableFile(atPath: beside.path) { return beside }
        let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        return own.appendingPathComponent("clover-emulator")
    }

    convenience init(_ arguments: String...) throws {
        try self.init(list: arguments)
    }

    init(list arguments: [String]) throws {
        let output = Pipe()
        process.executableURL = Self.binary
        process.arguments = ["serve"] + arguments
        process.standardOutput = output
        try process.run()
        var line: [UInt8] = []
        while !line.contains(UInt8(ascii: "\n")) {
            let data = output.fileHandleForReading.availableData
            try #require(!data.isEmpty, "the emulator ended without a ready line")
            line += data
        }
        ready = try Node(line)
        let url = try #require(ready["url"]?.text)
        port = try #require(URL(string: url)?.port.flatMap { UInt16($0) })
        merchant = try #require(ready["merchantId"]?.text)
        token = try #require(ready["accessToken"]?.text)
        otherTokens = try #require(ready["otherAccessTokens"]?.value as? [String])
    }

    deinit {
        if process.isRunning { process.terminate() }
    }

    /// Sends a signal, waits for the end, and returns the exit status.
    func stop(_ signal: Int32) -> Int32 {
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Runs the emulator with invalid arguments; returns its status and standard error.
    static func failing(_ arguments: [String]) throws -> (status: Int32, message: String) {
        let process = Process()
        let error = Pipe()
        process.executableURL = binary
        process.arguments = arguments
        process.standardError = error
        try process.run()
        let data = try error.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }

    func path(_ list: String) -> String {
        "/v3/merchants/\(merchant)\(list.isEmpty ? "" : "/")\(list)"
    }

    /// One request on a separate connection.
    func get(_ list: String, token: String? = nil, method: String = "GET") throws -> HTTPAnswer {
        let connection = try LoopbackConnection(port: port)
        try connection.send(path(list), token: token ?? self.token, method: method)
        return try connection.receive(isHead: method == "HEAD")
    }

    /// Polls the statistics until they are as expected; fails after five minutes.
    func wait(until isWanted: (Node) -> Bool) throws {
        let isMet = try Self.eventually { isWanted(try statistics()) }
        if !isMet { Issue.record("the statistics did not become as wanted: \(try statistics().value)") }
    }

    /// Checks every millisecond whether `holds` returns true. It blocks, which tests of this suite may.
    static func eventually(_ holds: () throws -> Bool) throws -> Bool {
        let end = ContinuousClock.now.advanced(by: .seconds(300))
        while true {
            // Once more after the deadline, in case this process was not scheduled meanwhile.
            let isLast = ContinuousClock.now >= end
            if try holds() { return true }
            if isLast { return false }
            usleep(1000)
        }
    }

    func statistics() throws -> Node {
        let connection = try LoopbackConnection(port: port)
        try connection.send("/emulator/stats", token: nil)
        return try Node(try connection.receive().body)
    }
}

import CloverTestSupport
import Foundation
import Testing

/// A reader of standard output that takes ten kilobytes a second holds up the download: what is in memory is a few pages.
@Suite("get: a slow consumer", .serialized)
struct SlowConsumerTests {
    /// Bytes of a record; a page of a thousand is a megabyte.
    private static let recordSize = 1000
    /// The first page, the five that are under way while it is written, and one for what waits in pipes and writers.
    private static let mostPages = 7

    private static let reader = """
        import os, sys, time

        total = 0
        while data := os.read(0, 1000):
            total += len(data)
            print(total, flush=True)
            time.sleep(0.1)
        """

    /// A list without an end.
    private static func answer(_ request: LoopbackRequest) -> LoopbackResponse {
        let offset = request.values(of: "offset").first.flatMap { Int($0) } ?? 0
        let limit = request.values(of: "limit").first.flatMap { Int($0) } ?? 100
        let filler = String(repeating: "x", count: recordSize - 60)
        return .page((offset..<offset + limit).map { #"{"id":"\#(Record.identifier($0))","filler":"\#(filler)"}"# })
    }

    @Test(
        "it slows the download down, and memory does not fill",
        arguments: [[], ["--jq", "."], ["--format", "csv", "--fields", "id,filler", "--no-check"]])
    func slow(_ options: [String]) async throws {
        try await Sandbox.run(server: { request, _ in Self.answer(request) }, weight: 2) { sandbox, server in
            let words = (["get", "orders", "--all"] + options).joined(separator: " ")
            let bytes = Scale.pick(60_000, full: 600_000)
            try sandbox.directory.write("reader.py", Self.reader.utf8)
            let shell = try sandbox.limited(to: .seconds(300)).startShell(
                "(echo $BASHPID >pid; exec clover \(words)) | python3 -I -S reader.py")
            try await shell.waitForOutput("\(bytes) bytes read", limit: .seconds(200)) { output in
                String(decoding: output, as: UTF8.self).split(separator: "\n").dropLast()
                    .last.flatMap { Int($0) }.map { $0 >= bytes } ?? false
            }
            let process = String(decoding: try sandbox.directory.read("pid"), as: UTF8.self)
            let kibibytes = try Self.peakMemory(of: process.filter(\.isNumber))
            let requests = server.requests.count
            shell.send(9)
            #expect(requests <= Self.mostPages)
            #expect(kibibytes <= 56 << 10)
            try Scale.report(
                "A consumer of 10 kB a second, options: \(options.isEmpty ? "none" : "`\(options.joined(separator: " "))`")",
                count: "\(bytes) bytes read",
                result: "\(requests) pages of a megabyte asked for, at most \(kibibytes) KiB resident")
        }
    }

    @Test("one that reads has many more pages: what is counted is the consumer's doing")
    func quick() async throws {
        try await Sandbox.run(server: { request, _ in Self.answer(request) }, weight: 2) { sandbox, server in
            let shell = try sandbox.startShell("exec clover get orders --all >/dev/null")
            try await server.waitForRequests(2 * Self.mostPages)
            shell.send(9)
        }
    }

    /// The most memory that a process ever had resident, in KiB (proc(5), VmHWM).
    private static func peakMemory(of process: String) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(Int(line.filter(\.isNumber)))
    }
}

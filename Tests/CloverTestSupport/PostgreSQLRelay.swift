import Foundation

/// The program in between that disturbs a client and its server.
package final class PostgreSQLRelay: Sendable {
    private let server: PostgreSQLServer
    private let folder: TemporaryDirectory
    private let process: RunningCommand

    /// See `postgresql-relay.py`.
    package init(to server: PostgreSQLServer, at number: Int, _ side: String, _ action: String) async throws {
        self.server = server
        folder = try TemporaryDirectory()
        var python = CommandRunner(executable: "/usr/bin/python3", environment: [:])
        python.limit = .seconds(1800)
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("postgresql-relay.py").path
        process = try python.start([
            "-I", "-S", script, folder.path, server.folder, String(number), side, action,
        ])
        _ = try await process.firstLine()
    }

    deinit { process.send(9) }

    /// The address of a database of the server, by way of the relay.
    package func address(of database: String) -> String {
        server.url(database).replacing("host=\(server.folder)", with: "host=\(folder.path)")
    }

    package func waitUntilDisturbed() async throws {
        try await process.waitForOutput("the disturbance") { $0.count > "ready\n".utf8.count }
    }

    package var hasDisturbed: Bool { process.outputSoFar.count > "ready\n".utf8.count }

    /// Number of statements so far.
    package var count: Int { Int(String(decoding: (try? folder.read("count")) ?? [], as: UTF8.self)) ?? 0 }
}

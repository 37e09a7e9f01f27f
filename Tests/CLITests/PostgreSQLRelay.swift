import CloverTestSupport
import Foundation
import Testing

/// The program in between that disturbs a client and its server.
final class PostgreSQLRelay {
    let folder: TemporaryDirectory
    private let process: RunningCommand

    init(to server: PostgreSQLServer, at number: Int, _ side: String, _ action: String) async throws {
        folder = try TemporaryDirectory()
        var python = CommandRunner(executable: "/usr/bin/python3", environment: [:])
        python.limit = .seconds(1800)
        process = try python.start([
            "-I", "-S", Fixture.path("postgresql-relay.py"), folder.path, server.folder, String(number), side, action,
        ])
        _ = try await process.firstLine()
    }

    deinit { process.send(9) }

    func address(of database: ServedDatabase) -> String {
        database.address.replacing("host=\(database.server.folder)", with: "host=\(folder.path)")
    }

    func waitUntilDisturbed() async throws {
        try await process.waitForOutput("the disturbance") { $0.count > "ready\n".utf8.count }
    }

    var count: Int { Int(String(decoding: (try? folder.read("count")) ?? [], as: UTF8.self)) ?? 0 }
}

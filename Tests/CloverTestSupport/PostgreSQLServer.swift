import Foundation
import Glibc
import Synchronization

/// A real PostgreSQL server, which does not run as root, that listens on a socket in a temporary folder.
///
/// It ends with the test process.
package final class PostgreSQLServer: @unchecked Sendable {
    /// Folder of the socket, and of the data.
    package let folder: String
    private let programs: String
    private var process: RunningCommand

    private static let environment = ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TZ": "UTC"]
    /// The server that tests share which do not stop it.
    private static let common = Task { try await PostgreSQLServer() }

    package static var shared: PostgreSQLServer { get async throws { try await common.value } }

    /// The data of a new server, which each server gets a copy of: initdb takes longer than all else at its start.
    private static let original: Task<String, any Error> = Task {
        let folder = try PostgreSQLServer.makeFolder()
        let programs = try PostgreSQLServer.newestPrograms()
        let initialized = try await PostgreSQLServer.runner().run(
            PostgreSQLServer.prefix + [
                "\(programs)/initdb", "-D", "\(folder)/data", "-U", "clover", "-A", "trust", "--no-sync", "-E",
                "UTF8", "--locale", "C.UTF-8",
            ])
        guard initialized.ending == .exited(0) else { throw CommandError.noProgram("initdb: \(initialized)") }
        return "\(folder)/data"
    }

    package init() async throws {
        programs = try Self.newestPrograms()
        folder = try Self.makeFolder()
        let data = try await Self.original.value
        let copied = try await Self.runner().run(Self.prefix + ["/bin/cp", "-a", data, "\(folder)/data"])
        guard copied.ending == .exited(0) else { throw CommandError.noProgram("cp: \(copied)") }
        process = try Self.start(programs, folder)
        try await waitUntilReady()
    }

    private static func newestPrograms() throws -> String {
        let versions = try FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")
        guard let newest = versions.compactMap(Int.init).max() else { throw CommandError.noProgram("postgres") }
        return "/usr/lib/postgresql/\(newest)/bin"
    }

    /// Makes a folder of the server's user, which is removed when the test process ends.
    private static func makeFolder() throws -> String {
        // The names of sockets are short, and the server's user must reach it, as he does a folder of Scripts/run-tests.
        let temporary = FileManager.default.temporaryDirectory.path
        let base = temporary.hasPrefix("/dev/shm/") ? temporary : "/tmp"
        var template = Array("\(base)/clover-pg-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw CommandError.noProgram("mkdtemp") }
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        folders.withLock { $0.append(folder) }
        if geteuid() == 0, let user = getpwnam("postgres") {
            chown(folder, user.pointee.pw_uid, user.pointee.pw_gid)
            // The socket is for the tests' own user, too.
            chmod(folder, 0o755)
        }
        return folder
    }

    deinit {
        process.send(SIGQUIT)
        _ = try? FileManager.default.removeItem(atPath: folder)
    }

    /// The server refuses to run as root.
    private static var prefix: [String] {
        geteuid() == 0 ? ["--reuid=postgres", "--regid=postgres", "--init-groups"] : ["--inh-caps=-all"]
    }

    /// Folders of servers, which are removed when the test process ends; the servers themselves are killed then.
    private static let folders: Mutex<[String]> = {
        atexit { PostgreSQLServer.removeFolders() }
        return Mutex<[String]>([])
    }()

    private static func removeFolders() {
        for folder in folders.withLock({ $0 }) { _ = try? FileManager.default.removeItem(atPath: folder) }
    }

    private static func runner() -> CommandRunner {
        var runner = CommandRunner(executable: "/usr/bin/setpriv", environment: environment, directory: "/")
        runner.limit = .seconds(14_400)
        return runner
    }

    private static func start(_ programs: String, _ folder: String) throws -> RunningCommand {
        try runner().start(
            prefix + [
                "\(programs)/postgres", "-D", "\(folder)/data", "-k", folder, "-c", "listen_addresses=", "-c",
                "max_connections=900", "-c", "log_min_messages=panic",
                // It would go round hundreds of small databases all the time.
                "-c", "autovacuum=off",
            ])
    }

    private func waitUntilReady() async throws {
        for _ in 0..<600 {
            if try await psql("postgres", "SELECT 1").ending == .exited(0) { return }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw CommandError.noProgram("postgres: \(process.errorsSoFar)")
    }

    /// The address of a database for `clover`.
    package func url(_ database: String) -> String { "postgresql://clover@/\(database)?host=\(folder)" }

    /// Creates a database and returns its name.
    ///
    /// - Parameter original: a database to which nothing is connected, and of which this one becomes a copy; nil for an empty
    ///   one.
    package func makeDatabase(copyOf original: String? = nil) async throws -> String {
        let name = "t" + UUID().uuidString.replacing("-", with: "").lowercased()
        let template = original.map { " TEMPLATE \($0)" } ?? ""
        _ = try await rows("CREATE DATABASE \(name)\(template)", in: "postgres")
        return name
    }

    /// Rows as text, with a bar between columns and `-` for NULL.
    package func rows(_ sql: String, in database: String) async throws -> [String] {
        let result = try await psql(database, sql)
        guard result.ending == .exited(0) else { throw CommandError.noProgram("psql: \(result)") }
        return result.outputText.split(separator: "\n").map(String.init)
    }

    private func psql(_ database: String, _ sql: String) async throws -> CommandResult {
        let runner = CommandRunner(executable: "\(programs)/psql", environment: Self.environment)
        return try await runner.run(
            ["-XAtq", "-P", "null=-", "-v", "ON_ERROR_STOP=1", "-h", folder, "-U", "clover", "-d", database, "-c", sql])
    }

    /// Stops the server as a loss of power would, and starts it again.
    package func crash() async throws {
        try await stop()
        try await restart()
    }

    package func stop() async throws {
        process.send(SIGQUIT)
        _ = try await process.result()
    }

    /// Makes it a standby without a primary, which serves reads.
    package func becomeStandby() async throws {
        // With a checkpoint, so that it is consistent at once.
        process.send(SIGINT)
        _ = try await process.result()
        try Data().write(to: URL(fileURLWithPath: "\(folder)/data/standby.signal"))
        try await restart()
    }

    package func restart() async throws {
        process = try Self.start(programs, folder)
        try await waitUntilReady()
    }
}

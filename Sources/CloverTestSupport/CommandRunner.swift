import Foundation
import Glibc

/// Starts one program with an environment that is given in full: nothing of the test's own environment gets in.
package struct CommandRunner: Sendable {
    /// What the command reads.
    package enum Input: Sendable {
        /// `/dev/null`.
        case nothing
        /// These bytes through a pipe, then its end.
        case bytes([UInt8])
        case text(String)
        /// A file, opened for reading.
        case file(String)
        /// No descriptor 0 at all.
        case closed
    }

    /// Where the command's stdout goes.
    package enum Output: Sendable {
        /// Kept in ``CommandResult/output``.
        case kept
        /// A file or device, opened for writing.
        case file(String)
        /// A pipe whose reading end is closed already, so that the first write gets SIGPIPE.
        case brokenPipe
        /// No descriptor 1 at all.
        case closed
    }

    package var executable: String
    package var environment: [String: String]
    /// Where the command starts; the test runner's own folder when nil.
    package var directory: String?
    /// After this time the command is killed, and the test fails.
    package var limit: Duration = .seconds(240)

    package init(executable: String, environment: [String: String], directory: String? = nil) {
        self.executable = executable
        self.environment = environment
        self.directory = directory
    }

    /// The path of a built program, from the folder in `CLOVER_TEST_BINARIES`.
    package static func builtProgram(_ name: String) throws -> String {
        let folder = ProcessInfo.processInfo.environment["CLOVER_TEST_BINARIES"] ?? ".build/release"
        let path = URL(fileURLWithPath: folder).appendingPathComponent(name).path
        guard FileManager.default.isExecutableFile(atPath: path) else { throw CommandError.noProgram(path) }
        return path
    }

    /// Runs the command to its end.
    package func run(
        _ arguments: [String], input: Input = .nothing, output: Output = .kept
    ) async throws -> CommandResult {
        try await start(arguments, input: input, output: output).result()
    }

    /// Starts the command; it is killed when the returned value goes away before it ended.
    package func start(
        _ arguments: [String], input: Input = .nothing, output: Output = .kept
    ) throws -> RunningCommand {
        let plan = SpawnPlan(
            executable: executable, arguments: arguments, environment: environment, directory: directory)
        let spawned = try plan.run(input: input, output: output)
        let command = RunningCommand(
            pid: spawned.pid, arguments: [executable] + arguments, output: spawned.output, errors: spawned.errors,
            limit: limit)
        if let descriptor = spawned.input { RunningCommand.feed(input.bytes, into: descriptor) }
        return command
    }
}

extension CommandRunner.Input {
    /// What goes through a pipe, where there is one.
    var bytes: [UInt8] {
        switch self {
        case .nothing, .file, .closed: []
        case .bytes(let bytes): bytes
        case .text(let text): Array(text.utf8)
        }
    }
}

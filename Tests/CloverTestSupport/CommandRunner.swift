import Foundation
import Glibc

/// Starts one program with a complete environment: nothing of the test's own environment is passed on.
package struct CommandRunner: Sendable {
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

    package enum Output: Sendable {
        /// Kept in ``CommandResult/output``.
        case kept
        /// A file or device, opened for writing.
        case file(String)
        /// A pipe whose read end is already closed, so that the first write gets SIGPIPE.
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

    package func run(
        _ arguments: [String], input: Input = .nothing, output: Output = .kept
    ) async throws -> CommandResult {
        try await start(arguments, input: input, output: output).result()
    }

    /// Starts the command; it is killed if the returned value is released before it ends.
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
    /// The bytes to write to the pipe, if any.
    var bytes: [UInt8] {
        switch self {
        case .nothing, .file, .closed: []
        case .bytes(let bytes): bytes
        case .text(let text): Array(text.utf8)
        }
    }
}

/// The result of a finished command: how it ended and what it wrote.
package struct CommandResult: Sendable {
    /// How a process ended: by itself, or by a signal.
    package enum Ending: Equatable, Sendable {
        case exited(Int32)
        case signalled(Int32)
    }

    package let arguments: [String]
    package let ending: Ending
    package let output: [UInt8]
    package let errors: [UInt8]

    /// The status that a shell shows: the exit status, or 128 plus the signal number.
    package var status: Int32 {
        switch ending {
        case .exited(let status): status
        case .signalled(let signal): 128 + signal
        }
    }

    package var outputText: String { String(decoding: output, as: UTF8.self) }
    package var errorText: String { String(decoding: errors, as: UTF8.self) }

    /// The lines of stdout, without their line breaks.
    package var lines: [String] {
        output.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Whether stdout consists of complete lines.
    package var endsWithWholeLine: Bool { output.isEmpty || output.last == UInt8(ascii: "\n") }
}

extension CommandResult: CustomStringConvertible {
    /// The text that a failed expectation shows; long output is shortened.
    package var description: String {
        """
        \(arguments.joined(separator: " "))
        ended: \(ending)
        stdout (\(output.count) bytes): \(Self.excerpt(outputText, 300))
        stderr (\(errors.count) bytes): \(Self.excerpt(errorText, 2000))
        """
    }

    private static func excerpt(_ text: String, _ length: Int) -> String {
        text.count <= 2 * length ? text : "\(text.prefix(length)) ... \(text.suffix(length))"
    }
}

/// Why a command gave no result.
package enum CommandError: Error, CustomStringConvertible {
    /// `CLOVER_TEST_BINARIES` does not name a folder with this program in it.
    case noProgram(String)
    /// The process could not be started; `posix_spawn(3)` gave this error number.
    case notStarted(program: String, errorNumber: Int32)
    /// It exceeded its time limit and was killed.
    case outOfTime(CommandResult)
    /// The awaited output did not appear before the end of the stream or the time limit.
    case notSeen(awaited: String, output: String, errors: String)
    case unreadable(String)

    package var description: String {
        switch self {
        case .noProgram(let path):
            "no program at \(path): set CLOVER_TEST_BINARIES to the folder of the built programs (make test does)"
        case .notStarted(let program, let errorNumber): "cannot start \(program): error \(errorNumber)"
        case .outOfTime(let result): "killed, because it ran out of time: \(result)"
        case .notSeen(let awaited, let output, let errors):
            "did not see \(awaited)\nstdout: \(output.prefix(2000))\nstderr: \(errors.prefix(2000))"
        case .unreadable(let text): "not the JSON that was expected: \(text.prefix(500))"
        }
    }
}

/// A command with a memory measurement.
package struct MeasuredCommand: Sendable {
    package let result: CommandResult
    /// Peak resident memory, in bytes.
    package let peakMemoryInBytes: Int

    /// Runs the command, discarding its stdout.
    ///
    /// Linux counts the parent's resident memory at the time of the start as the child's first peak (`exec` keeps the
    /// mark of the image that it replaces), so a small program starts the command rather than the test runner.
    package static func run(
        _ runner: CommandRunner, _ arguments: [String], in directory: TemporaryDirectory
    ) async throws -> MeasuredCommand {
        var python = runner
        python.executable = "/usr/bin/python3"
        let report = directory["peak-memory"]
        let result = try await python.run(
            ["-I", "-S", "-c", script, report, runner.executable] + arguments, output: .file("/dev/null"))
        let text = String(decoding: try directory.read("peak-memory"), as: UTF8.self)
        guard let kibibytes = Int(text) else { throw CommandError.unreadable(text) }
        return MeasuredCommand(result: result, peakMemoryInBytes: kibibytes * 1024)
    }

    private static let script = """
        import os, resource, sys

        child = os.fork()
        if child == 0:
            os.execv(sys.argv[2], sys.argv[2:])
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        with open(sys.argv[1], "w") as report:
            report.write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss))
        sys.exit(status if status >= 0 else 128 - status)
        """
}

/// A command whose memory is measured.
package struct MeasuredCommand: Sendable {
    package let result: CommandResult
    /// The most memory that was ever resident, in bytes.
    package let peakMemoryInBytes: Int

    /// Runs the command with its stdout thrown away.
    ///
    /// Linux counts what the starting process holds at that moment as its child's first peak (`exec` keeps the mark of
    /// the image that it replaces), so the command is started by a small program rather than by the test runner.
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

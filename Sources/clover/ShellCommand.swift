import CLinux
import CloverCore
import CloverProcesses
import CloverThreads
import Glibc

/// A line of shell that a user gave us to run.
enum ShellCommand {
    /// Runs `/bin/sh -c line` to its end, its output on our standard error, because ours is for data.
    ///
    /// - Parameters:
    ///   - variables: in addition to those of this process, less its secrets.
    ///   - input: small enough for a pipe (pipe(7)), so that writing it waits for nobody.
    /// - Returns: its status as a shell reports it: 128 and the signal's number when a signal ended it.
    static func run(
        _ line: String, variables: [String: String], own: [String: String], input: [UInt8]
    ) async throws -> Int32 {
        let all = ChildVariables.withoutSecrets(own).merging(variables) { $1 }
        return try await DedicatedThread.run {
            do throws(ChildPlan.StartError) {
                return try ChildStatus.wait(for: try start(line, variables: all, input: input))
            } catch {
                throw CoreError.cannotRun(errno: error.errno)
            }
        }
    }

    private static func start(
        _ line: String, variables: [String: String], input: [UInt8]
    ) throws(ChildPlan.StartError) -> Int32 {
        var ends: [Int32] = [0, 0]
        guard pipe2(&ends, O_CLOEXEC) == 0 else { throw ChildPlan.StartError(errno: errno) }
        defer { for end in ends { close(end) } }
        // The thread has SIGPIPE blocked, so a child that reads nothing is an error that is no error.
        _ = input.withUnsafeBytes { write(ends[1], $0.baseAddress, $0.count) }
        var plan = ChildPlan(shell: line, variables: variables)
        plan.input = .descriptor(ends[0])
        plan.output = .descriptor(STDERR_FILENO)
        return try plan.start()
    }
}

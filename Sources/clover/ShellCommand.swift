import CLinux
import CloverCore
import CloverProcesses
import CloverThreads
import Glibc

/// Runs a shell command given by the user.
enum ShellCommand {
    /// Runs `/bin/sh -c line` until it ends. Its output goes to clover's standard error, because standard output is for
    /// data.
    ///
    /// - Parameters:
    ///   - variables: in addition to those of this process, without its secrets.
    ///   - input: small enough for a pipe's buffer (pipe(7)), so that writing it does not block.
    /// - Returns: the status as a shell reports it: 128 plus the signal's number if a signal ended it.
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
        // SIGPIPE is blocked on this thread; a child that does not read its input is not an error.
        _ = input.withUnsafeBytes { write(ends[1], $0.baseAddress, $0.count) }
        var plan = ChildPlan(shell: line, variables: variables)
        plan.input = .descriptor(ends[0])
        plan.output = .descriptor(STDERR_FILENO)
        return try plan.start()
    }
}

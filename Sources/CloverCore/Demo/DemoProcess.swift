import CloverProcesses
import CloverThreads
import Glibc

/// A program that the tour started. Its output is ours, unless it goes to files.
struct DemoProcess: Sendable {
    let processID: pid_t

    /// - Parameters:
    ///   - input: what its standard input is connected with.
    ///   - output: a file for standard output, and one for standard error; nil leaves it where ours is.
    /// - Throws: `CoreError.cannotRun`.
    static func start(
        _ words: [String], variables: [String: String], input: ChildStream = .nothing, output: (String, String)? = nil
    ) throws(CoreError) -> DemoProcess {
        var plan = ChildPlan(path: words[0], words: words, variables: variables)
        plan.input = input
        if let output {
            plan.output = .file(output.0)
            plan.errors = .file(output.1)
        }
        do throws(ChildPlan.StartError) {
            return DemoProcess(processID: try plan.start())
        } catch {
            throw .cannotRun(errno: error.errno)
        }
    }

    /// Waits for its end; a cancelled task ends it.
    ///
    /// - Returns: its status as a shell reports it.
    func status() async -> Int32 {
        await withTaskCancellationHandler {
            await DedicatedThread.run {
                do throws(ChildPlan.StartError) {
                    return try ChildStatus.wait(for: processID)
                } catch {
                    return 1
                }
            }
        } onCancel: {
            end()
        }
    }

    /// Asks it to end.
    func end() {
        kill(processID, SIGTERM)
    }

    /// Whether it has ended; its status can still be waited for, so that its number is nobody else's yet.
    func hasEnded() -> Bool {
        var information = siginfo_t()
        let result = waitid(P_PID, id_t(processID), &information, WEXITED | WNOHANG | WNOWAIT)
        return result == 0 && information.si_signo == SIGCHLD
    }
}

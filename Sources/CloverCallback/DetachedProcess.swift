import CloverProcesses
import CloverThreads

/// A program that is started and left alone.
enum DetachedProcess {
    /// Starts a program in a session of its own, with its standard streams on /dev/null.
    /// - Parameters:
    ///   - words: the program's name and its arguments.
    ///   - ended: called once with its exit status as a shell has it, 128 and the signal's number for a signal; with nil
    ///     when the status cannot be had.
    static func start(
        _ path: String, _ words: [String], environment: [String: String],
        ended: @escaping @Sendable (Int32?) -> Void = { _ in }
    ) throws(ChildPlan.StartError) {
        var plan = ChildPlan(path: path, words: words, variables: environment)
        plan.standing = .ownSession
        plan.input = .nothing
        plan.output = .nothing
        plan.errors = .nothing
        let process = try plan.start()
        do throws(DedicatedThread.StartError) {
            try DedicatedThread.start(name: "clover-browser", stackSize: 1 << 16) {
                do throws(ChildPlan.StartError) {
                    ended(try ChildStatus.wait(for: process))
                } catch {
                    ended(nil)
                }
            }
        } catch {
            // It stays as a zombie until this process ends, and does no harm.
            ended(nil)
        }
    }
}

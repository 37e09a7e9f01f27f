internal import CLinux
internal import CloverProcesses
internal import Glibc

/// A driver program that was started, and our ends of its pipes.
package struct SpawnedDriver: Sendable {
    /// Also the number of its process group.
    package let processID: Int32
    /// Readable when the process has ended (pidfd_open(2)).
    package let processDescriptor: Int32
    package let input: Int32
    package let output: Int32
    package let errors: Int32

    /// Starts the program as the leader of a process group of its own, so that Ctrl-C does not reach it before we do.
    package static func start(_ command: DriverCommand, variables: [String: String]) throws(DriverFailure)
        -> SpawnedDriver
    {
        let path = try command.file(path: variables["PATH"])
        var pipes: [[Int32]] = []
        func closeAll() { for end in pipes.joined() { close(end) } }
        for _ in 0..<3 {
            var ends: [Int32] = [0, 0]
            guard pipe2(&ends, O_CLOEXEC) == 0 else {
                let number = errno
                closeAll()
                throw .notStarted(errno: number)
            }
            pipes.append(ends)
        }
        let (input, output, errors) = (pipes[0], pipes[1], pipes[2])
        var plan = ChildPlan(
            path: path, words: command.words, variables: ChildVariables.withoutSecrets(variables))
        plan.standing = .ownGroup
        plan.input = .descriptor(input[0])
        plan.output = .descriptor(output[1])
        plan.errors = .descriptor(errors[1])
        let process: pid_t
        do throws(ChildPlan.StartError) {
            process = try plan.start()
        } catch {
            closeAll()
            throw .notStarted(errno: error.errno)
        }
        for end in [input[0], output[1], errors[1]] { close(end) }
        for end in [input[1], output[0], errors[0]] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        let descriptor = pidfd_open(process, 0)
        let number = errno
        let spawned = SpawnedDriver(
            processID: process, processDescriptor: descriptor, input: input[1], output: output[0], errors: errors[0])
        if descriptor < 0 {
            spawned.abandon()
            throw .notStarted(errno: number)
        }
        return spawned
    }

    /// Ends a program that nothing looks after, and closes what belongs to it.
    package func abandon() {
        kill(-processID, SIGKILL)
        while waitpid(processID, nil, 0) < 0, errno == EINTR {}
        for end in [processDescriptor, input, output, errors] where end >= 0 { close(end) }
    }
}

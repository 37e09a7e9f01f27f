import CloverCore
import CloverExport
import CloverSystem

/// `clover follow --print systemd`: the unit of a service that runs the same command.
struct FollowUnit {
    let request: FollowRequest
    let environment: CommandEnvironment

    func print() async throws {
        _ = try request.plans(of: "-")
        let signIn = try await UnattendedCommand.signInOptions(request.connection, in: environment)
        let words = try UnattendedCommand.withAbsolutePaths(
            Self.withoutForm(environment.arguments) + signIn, of: ["--state", "--from-file", "--cacert"])
        var directories = [try environment.stateDirectory().path]
        if let state = request.state {
            directories.append(try UnattendedCommand.absolute(FollowState.split(state).directory))
        }
        let program = try ScheduledProgram(
            words: [try UnattendedCommand.ownPath(in: environment)] + words,
            variables: UnattendedCommand.variables(in: environment),
            title: "Changes of \(request.resources.joined(separator: ", ")) at Clover", writesIn: directories,
            user: AccountName.current())
        let statuses: [ExitStatus] = [.usage, .badData, .notAuthorized, .configuration]
        let isPrinted = request.command == nil
        // The command may be named, and name files, by a relative path.
        let unit = SystemdUnits.daemon(
            program, isConfined: isPrinted, finalStatuses: statuses.map(\.rawValue),
            output: isPrinted ? try UnattendedCommand.absolute("changes.ndjson") : nil,
            directory: isPrinted ? nil : try UnattendedCommand.absolute("."))
        try await StandardOutput.print(unit, in: environment)
        UnattendedCommand.noteSecret(in: environment)
    }

    /// The command line without `--print`.
    private static func withoutForm(_ arguments: [String]) -> [String] {
        var result: [String] = []
        var isValue = false
        for word in arguments {
            if isValue {
                isValue = false
            } else if word == "--print" {
                isValue = true
            } else if !word.hasPrefix("--print=") {
                result.append(word)
            }
        }
        return result
    }
}

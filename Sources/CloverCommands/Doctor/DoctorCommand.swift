import ArgumentParser
import CloverAPI
import CloverCore
import CloverHTTP

/// `clover doctor`.
struct DoctorCommand: CloverCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Diagnose problems on this machine, and suggest fixes",
        discussion: """
            Examples:
              clover doctor
              clover doctor --offline --fix
              clover doctor --json | jq -r 'select(.result == "fail").message'

            Prints one line for each finding (ok, warn, fail or skip), and below it how to fix it; with --json, or if \
            standard output is not a terminal, one JSON object each. No token is renewed, and no request waits for the \
            shared request budget. Exits with 0, or with 78 if a check failed.

            Checks: \(list)
            """
    )

    @Flag(name: .long, help: "Do not use the network.")
    var offline = false

    @Flag(
        name: .long,
        help: "Fix what needs no decision: permissions that are too wide, and files that killed processes left.")
    var fix = false

    @Option(
        name: .long,
        help: ArgumentHelp("Check to skip; can be repeated, and takes several with commas.", valueName: "check"),
        completion: .asked)
    var skip: [String] = []

    @OptionGroup(title: "Connection")
    var connection: ConnectionOptions

    @OptionGroup(title: "Messages")
    var messages: MessageOptions

    private static let list = CheckName.allCases.map(\.rawValue).joined(separator: ", ")

    func validate() throws {
        _ = try skipped()
    }

    func run(in environment: CommandEnvironment) async throws -> Int32 {
        let (described, faults) = MessageVariables.told(of: environment)
        let environment = messages.applied(to: described)
        var doctor = Doctor()
        doctor.settingFaults = faults
        doctor.connection = connection.choice
        doctor.isOffline = offline
        doctor.repairs = fix
        doctor.skipped = try skipped()
        doctor.completionScript = { HelpCompletion.script(for: $0) }
        let isForPerson = environment.terminal.isOutputTerminal && !messages.json
        let hasFailed = try await doctor.run(in: environment) { finding in
            let report = FindingText(finding)
            let text = environment.diagnostics.mask.masked(
                isForPerson
                    ? report.text(isColored: environment.screen.isColored, width: environment.terminal.width)
                    : report.json)
            try await StandardOutput.print(text, in: environment)
        }
        return hasFailed ? ExitStatus.configuration.rawValue : 0
    }

    private func skipped() throws -> Set<CheckName> {
        var names: Set<CheckName> = []
        for word in skip.flatMap({ $0.split(separator: ",") }) {
            guard let name = CheckName(rawValue: String(word)) else {
                let near = NearestNames.of(String(word), among: CheckName.allCases.map(\.rawValue))
                let meant = near.isEmpty ? "but: \(Self.list)" : "did you mean \(near.joined(separator: ", "))?"
                throw ValidationError("there is no check '\(word)'; \(meant)".replacing("; but", with: ", but"))
            }
            names.insert(name)
        }
        return names
    }
}

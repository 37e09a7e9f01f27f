import ArgumentParser
import CloverAPI
import CloverCore
import CloverHTTP

/// `clover doctor`.
struct DoctorCommand: CloverCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Say what is wrong on this machine, and the next thing to do",
        discussion: """
            Examples:
              clover doctor
              clover doctor --offline --fix
              clover doctor --json | jq -r 'select(.result == "fail").message'

            One line for each finding, ok, warn, fail or skip, and below it what \
            mends it; with --json, or away from a terminal, one JSON object each. \
            No token is renewed, and no request waits for the shared budget. \
            Status 0, or 78 when something failed.

            Checks: \(list)
            """
    )

    @Flag(name: .long, help: "Ask nobody outside this machine.")
    var offline = false

    @Flag(
        name: .long,
        help: "Mend what needs no choice: rights that others must not have, and files that killed processes left.")
    var fix = false

    @Option(
        name: .long,
        help: ArgumentHelp("Leave a check out; may be repeated, and takes several with commas.", valueName: "check"),
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
        let (said, faults) = MessageVariables.told(of: environment)
        let environment = messages.applied(to: said)
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

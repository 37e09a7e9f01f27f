import ArgumentParser
import CloverAPI
import CloverCore
import CloverHTTP
import CloverJSON
import CloverOutput

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
        let (described, faults) = MessageVariables.applyingValid(to: environment)
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

/// A finding as text or JSON.
struct FindingText {
    private let finding: Finding
    private let message: String
    private let next: [String]

    init(_ finding: Finding) {
        self.finding = finding
        switch finding.words {
        case .plain(let text, let steps):
            message = text
            next = steps
        case .error(let error, let steps):
            guard case .report(let report) = ErrorReport.ending(of: error) else {
                message = "\(finding.check.rawValue) cannot be looked at: \(error)"
                next = steps
                return
            }
            message = report.message
            // Do not repeat a step that the error's hints already contain.
            next = report.hints + steps.filter { step in !report.hints.contains { $0.contains(step) } }
        }
    }

    /// Lines for a person, line ends included.
    ///
    /// - Parameter width: the terminal's width; nil if unknown.
    func text(isColored: Bool, width: Int?) -> String {
        let grade = finding.grade.rawValue
        let head = grade + String(repeating: " ", count: Self.indent - grade.count) + Diagnostics.printable(message)
        let margin = String(repeating: " ", count: Self.indent + 2)
        let below = finding.repairs.map { "fixed: \($0)" } + next
        let lines =
            FoldedText.lines(head, indent: Self.indent, width: width)
            + below.flatMap { Self.step(Diagnostics.printable($0), width: width.map { $0 - margin.count }) }
            .map { margin + $0 }
        let text = lines.map { $0 + "\n" }.joined()
        return isColored ? style.applied(to: grade) + text.dropFirst(grade.count) : text
    }

    private static let indent = 6
    /// Programs that a suggested command may begin with.
    private static let programs = [
        "clover", "sudo", "mkdir", "chmod", "rm", "mv", "df", "ls", "ps", "unset", "export", "curl", "systemctl",
    ]

    /// Wraps a step to the width. A command that stands by itself, or after a colon, is kept copyable.
    private static func step(_ text: String, width: Int?) -> [String] {
        func isCommand(_ text: Substring) -> Bool { programs.contains { text.hasPrefix($0 + " ") } }
        if isCommand(text[...]) { return FoldedText.command(text, width: width) }
        guard let width, DisplayWidth.of(text) > width, let colon = text.firstRange(of: ": "),
            isCommand(text[colon.upperBound...])
        else { return FoldedText.lines(text, indent: 2, width: width) }
        return FoldedText.lines(text[..<colon.lowerBound] + ":", indent: 2, width: width)
            + FoldedText.command(String(text[colon.upperBound...]), width: width - 2).map { "  " + $0 }
    }

    private var style: TextStyle {
        switch finding.grade {
        case .ok: .good
        case .warn: .warning
        case .fail: .bad
        case .skip: .faint
        }
    }

    /// One JSON object and a line end.
    var json: String {
        var line = JSONLine()
        line.add("check", finding.check.rawValue)
        line.add("result", finding.grade.rawValue)
        line.add("message", message)
        line.add("next", next)
        line.add("repairs", finding.repairs)
        return line.text + "\n"
    }
}

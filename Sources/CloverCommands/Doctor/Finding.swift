import CloverCore
import CloverJSON
import CloverOutput

/// The result of a check.
struct Finding: Sendable {
    enum Grade: String, Sendable {
        case ok
        /// Something works less well than it could.
        case warn
        /// Something does not work.
        case fail
        /// It could not be checked, or was skipped on request.
        case skip
    }

    enum Message: Sendable {
        case text(String)
        /// An error, which has its own message and hints.
        case error(any Error & Sendable)
    }

    let grade: Grade
    let message: Message
    /// The commands or steps that fix the problem.
    var next: [String] = []
    /// Repairs that were made, one line each.
    var repairs: [String] = []
}

/// Single findings; most checks have one.
extension [Finding] {
    static func ok(_ text: String, repairs: [String] = []) -> [Finding] {
        [Finding(grade: .ok, message: .text(text), repairs: repairs)]
    }

    static func warn(_ text: String, next: [String] = []) -> [Finding] {
        [Finding(grade: .warn, message: .text(text), next: next)]
    }

    static func fail(_ text: String, next: [String] = []) -> [Finding] {
        [Finding(grade: .fail, message: .text(text), next: next)]
    }

    static func skip(_ reason: String) -> [Finding] {
        [Finding(grade: .skip, message: .text(reason))]
    }

    static func warn(_ error: any Error & Sendable) -> [Finding] {
        [Finding(grade: .warn, message: .error(error))]
    }

    static func fail(_ error: any Error & Sendable, next: [String] = []) -> [Finding] {
        [Finding(grade: .fail, message: .error(error), next: next)]
    }
}

/// A finding as text or JSON.
struct FindingText {
    private let finding: Finding
    private let check: CheckName
    private let message: String
    private let next: [String]

    init(_ finding: Finding, of check: CheckName) {
        self.finding = finding
        self.check = check
        switch finding.message {
        case .text(let text):
            message = text
            next = finding.next
        case .error(let error):
            guard case .report(let report) = ErrorReport.ending(of: error) else {
                message = "\(check.rawValue) cannot be looked at: \(error)"
                next = finding.next
                return
            }
            message = report.message
            // Do not repeat a step that the error's hints already contain.
            next = report.hints + finding.next.filter { step in !report.hints.contains { $0.contains(step) } }
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
        line.add("check", check.rawValue)
        line.add("result", finding.grade.rawValue)
        line.add("message", message)
        line.add("next", next)
        line.add("repairs", finding.repairs)
        return line.text + "\n"
    }
}

import CloverCore
import CloverRecords

/// A finding as it is printed.
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
        case .error(let error):
            guard case .report(let report) = ErrorReport.ending(of: error) else {
                message = "\(finding.check.rawValue) cannot be looked at: \(error)"
                next = []
                return
            }
            message = report.message
            next = report.hints
        }
    }

    /// Lines for a person, line ends included.
    func text(isColored: Bool) -> String {
        let grade = finding.grade.rawValue
        let head = String(repeating: " ", count: 6 - grade.count) + message
        let lines = [head] + finding.repairs.map { "        mended: \($0)" } + next.map { "        \($0)" }
        return (isColored ? style.applied(to: grade) : grade)
            + lines.map { Diagnostics.printable($0) + "\n" }.joined()
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

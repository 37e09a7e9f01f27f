import CloverCore

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
    var text: String {
        let grade = finding.grade.rawValue
        let head = grade + String(repeating: " ", count: 6 - grade.count) + message
        let lines = [head] + finding.repairs.map { "        mended: \($0)" } + next.map { "        \($0)" }
        return lines.map { Diagnostics.printable($0) + "\n" }.joined()
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

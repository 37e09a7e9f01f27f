extension Diagnostics {
    /// A line of many that failed in a run that goes on; always shown. As JSON it has the same facts as a failure that ends
    /// the program, and the line: `{"error":{"line":2,"code":...}}`.
    func failure(_ facts: FailureFacts, line: Int) {
        var located = facts
        located.message = "line \(line): \(facts.message)"
        located.line = line
        failure(located.message, json: "{\"error\":\(located.json)}")
    }

    /// Reports the failure of one of several things, with what may help below it.
    func failure(_ facts: FailureFacts, of name: String) {
        var named = facts
        named.message = "\(name): \(facts.message)"
        switch style {
        case .text:
            let lines = ["clover: " + named.message] + facts.hints.map { "  " + $0 }
            write(report: lines.map(Self.printable).joined(separator: "\n") + "\n")
        case .json: failure(named.message, json: "{\"error\":\(named.json)}")
        }
    }
}

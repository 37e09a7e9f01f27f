extension Diagnostics {
    /// A line of many that failed in a run that goes on; always shown. As JSON it has the same facts as a failure that ends
    /// the program, and the line: `{"error":{"line":2,"code":...}}`.
    func failure(_ facts: FailureFacts, line: Int) {
        var located = facts
        located.message = "line \(line): \(facts.message)"
        located.line = line
        failure(located.message, json: "{\"error\":\(located.json)}")
    }
}

import CloverAPI
import CloverRecords

/// The result of one line, as one JSON object.
enum EachResult {
    static func done(_ line: Int, _ answer: WriteAnswer, isList: Bool) -> String {
        var result = begun(line, isDone: true, http: answer.status)
        let records = answer.records.records.map {
            String(decoding: answer.records.bytes[$0.range], as: UTF8.self)
        }
        if isList || records.count > 1 {
            result.add("result", json: "[" + records.joined(separator: ",") + "]")
        } else {
            result.add("result", json: records.first ?? "null")
        }
        return result.text
    }

    /// - Parameter outcome: said when it is not what a failure usually is. A line that was carried out is `ok`, also when
    ///   its answer is not whole, so that nobody sends it again.
    static func failed(_ line: Int, _ facts: FailureFacts, outcome: LineOutcome) -> String {
        var result = begun(line, isDone: outcome == .answerIncomplete, http: facts.http)
        if outcome != .failed { result.add("outcome", outcome.rawValue) }
        if outcome == .answerIncomplete { result.add("result", json: "null") }
        result.add("error", json: facts.json)
        return result.text
    }

    private static func begun(_ line: Int, isDone: Bool, http: Int?) -> JSONLine {
        var result = JSONLine()
        result.add("line", Int64(line))
        result.add("ok", isDone)
        result.add("status", http.map { Int64($0) })
        return result
    }
}

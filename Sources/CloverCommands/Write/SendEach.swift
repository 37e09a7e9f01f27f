import CloverAPI
import CloverAuth
import CloverCore
import CloverJSON
import CloverOutput
import Synchronization

/// Runs `clover post`, `put` and `delete` with `--each`: sends a request for every input line, one after the other, and
/// prints a result for each.
struct SendEach: Sendable {
    let request: WriteRequest
    let environment: CommandEnvironment

    /// Carries out every line, or throws. `WriteError.linesFailed` and `.answersIncomplete` are thrown after all lines,
    /// `.stopped` and `.timeRanOut` after the lines before.
    func run() async throws -> FilterReport {
        if request.isDryRun {
            return try await BatchPreview(request: request, environment: environment).run()
        }
        let connection = try await Connection.resolve(
            request.connection, in: environment.waitingForSignIns(atMost: request.maximumTime))
        let plan = try await WritePlan.located(request, merchantID: connection.merchantID, in: environment) {
            try connection.makeClient(
                retries: request.maximumRetries, pacing: request.effectivePacing, in: environment)
        }
        let format = try request.printing.plan(.unknown, in: environment)
        let isInputTaken = request.input == nil || request.input == "-"
        if let what = plan.needsConfirmation, !request.isConfirmed {
            try await Confirmation(environment: environment).require(what, isInputTaken: isInputTaken)
        }
        let lines = try environment.openLines(isInputTaken ? nil : request.input)
        let position = BatchPosition(first: request.firstLine)
        let diagnostics = environment.diagnostics
        let sender = try WriteSender(request, plan, connection, in: environment) { standing in
            let line = position.now.next
            switch standing {
            case .underWay:
                diagnostics.warning(
                    "waiting for the response to line \(line) before stopping; if none arrives, line \(line) may have "
                        + "been carried out: check, then resume with --resume-from \(line + 1) if it was, or "
                        + "\(line) if it was not")
            case .doubtful:
                diagnostics.warning(
                    "line \(line) may have been carried out by an earlier attempt: check before sending it again")
            case .notDone: break
            }
        }
        let filter = try await request.printing.makeFilter(
            format, .unknown, sender.client, merchantID: connection.merchantID, in: environment)
        defer { sender.inspection.finish() }
        do {
            let (results, report) = try await TimeLimit.run(
                seconds: environment.timeLeft(of: request.maximumTime), sleep: environment.sleep,
                timeRanOut: { [request, environment] in
                    _ = position.claimReport()
                    let now = position.now
                    return WriteError.timeRanOut(
                        seconds: request.maximumTime ?? 0, line: now.next, path: now.path,
                        sender.flight.abandon(), movesMoney: plan.path.movesMoney,
                        obstacle: sender.pause.obstacle(at: environment.clock.boot()))
                },
            ) {
                try await ProgressDisplay.during(in: environment) { board in
                    board.line(plan.path.display) { facts in
                        facts.unit = "line"
                        let now = position.now
                        facts.done = now.next - request.firstLine
                        facts.share = now.share
                        sender.update(&facts)
                    }
                    let results = try await send(lines, sender, filter, position)
                    return (results, try await filter.finish())
                }
            }
            diagnostics.detail(
                "\(results.done) \(results.done == 1 ? "line was" : "lines were") carried out, "
                    + "\(sender.client.requestCount) \(sender.client.requestCount == 1 ? "request" : "requests")")
            if results.failed > 0 { throw WriteError.linesFailed(results) }
            if results.incomplete > 0 { throw WriteError.answersIncomplete(results) }
            try request.printing.check(report)
            return report
        } catch let error as RecordWriteError {
            // Reported even after the reader has closed the pipe: nothing else shows what was sent.
            if position.claimReport() {
                let last = position.now.lastBegun
                diagnostics.warning(
                    "everything up to line \(last) was sent, but not every result could be written; "
                        + "resume with --resume-from \(last + 1)")
            }
            throw error
        } catch let error as WriteError {
            switch error {
            case .linesFailed, .answersIncomplete, .noSuchLine: break
            case .timeRanOut: try await TimeLimit.briefly { try await filter.breakOff() }
            default: try await breakOff(filter)
            }
            throw error
        } catch {
            try await breakOff(filter)
            if position.claimReport() {
                let next = position.now.next
                diagnostics.warning(
                    (next > 1 ? "stopped after line \(next - 1)" : "stopped before the first line")
                        + "; resume with --resume-from \(next)")
            }
            throw error
        }
    }

    /// Prints the results of the lines before, even after a signal.
    private func breakOff(_ filter: any RecordFilter) async throws {
        try await Task { try await filter.breakOff() }.value
    }

    private func send(
        _ lines: any InputLines, _ sender: WriteSender, _ filter: any RecordFilter, _ position: BatchPosition
    ) async throws -> BatchResults {
        var results = BatchResults()
        var number = 0
        while let line = try await lines.next() {
            number += 1
            guard number >= request.firstLine else {
                position.pass(lines.share)
                continue
            }
            try Task.checkCancellation()
            position.begin(number)
            let flow = line.isBlank ? .more : try await send(line, number, sender, filter, position, &results)
            position.end(number)
            position.pass(lines.share)
            if flow == .stop { return results }
        }
        if request.firstLine > 1, number < request.firstLine {
            throw WriteError.noSuchLine(request.firstLine, lines: number)
        }
        return results
    }

    /// Sends the request of one line and prints its result.
    private func send(
        _ text: InputText, _ number: Int, _ sender: WriteSender, _ filter: any RecordFilter,
        _ position: BatchPosition, _ results: inout BatchResults
    ) async throws -> RecordFlow {
        let isList = sender.plan.path.endpoint?.shape == .list
        do {
            let (path, body) = try sender.plan.parts(of: text)
            position.aim(at: path.encoded)
            let flow = try await sender.flight.run {
                let response = try await sender.send(body, to: path)
                let line = LineResult.done(number, response, isList: isList)
                return try await Self.deliver(line, to: filter, in: environment)
            }
            results.addDone()
            return flow
        } catch let error as RecordWriteError {
            throw error
        } catch {
            guard !(error is CancellationError), let facts = FailureDetails(of: error, in: environment) else {
                throw error
            }
            let outcome = (error as? WriteFailure)?.outcome ?? .failed
            if outcome == .answerIncomplete {
                results.addIncomplete(line: number)
            } else {
                results.addFailure(line: number)
            }
            let line = LineResult.failed(number, facts, outcome: outcome)
            // A signal must not cancel this: the known result of a line is always printed.
            let environment = environment
            let flow = try await Task { try await Self.deliver(line, to: filter, in: environment) }.value
            if Self.stopsRun(error) { throw WriteError.stopped(facts, line: number, results, outcome: outcome) }
            environment.diagnostics.failure(facts, line: number)
            return flow
        }
    }

    /// Writes a result and returns when it is on standard output, so that the next line is not sent before that.
    private static func deliver(
        _ line: String, to filter: any RecordFilter, in environment: CommandEnvironment
    ) async throws -> RecordFlow {
        let flow = try await filter.consume(RecordBatch(lines: [line]))
        try await environment.standardOutput.finishWriting()
        return flow
    }

    /// Whether an error ends the run. When the service refuses only this line, the run continues. Any other error would
    /// repeat for the next lines, or leaves a doubt to resolve first: continuing could create the same record twice.
    private static func stopsRun(_ error: any Error) -> Bool {
        if WritePlan.isFaultOfLine(error) { return false }
        guard let failure = error as? WriteFailure else { return true }
        switch failure.cause {
        case .answerLost: return false
        case .unknown: return true
        case .refused(.notFound), .refused(.refused): return false
        case .refused: return true
        }
    }
}

extension FailureDetails {
    /// The facts for reports; nil for an error that ends the whole run unchanged. They also go to standard output, where
    /// no other mask is applied to what the service repeats.
    init?(of error: any Error, in environment: CommandEnvironment) {
        guard case .report(let report) = ErrorReport.ending(of: error) else { return nil }
        self = report.facts.masked(by: environment.diagnostics.mask)
    }
}

/// The position of a run over many lines, for messages and the progress line.
final class BatchPosition: Sendable {
    struct State {
        /// The first line whose result is not known yet: the one to resume from.
        fileprivate(set) var next: Int
        /// The last line that was sent or found faulty.
        fileprivate(set) var lastBegun: Int
        /// Path of the current line's request; nil until it is known.
        fileprivate(set) var path: String?
        /// Processed or skipped share of the input, from 0 to 1; nil while unknown.
        fileprivate(set) var share: Double?
        fileprivate var isReported = false
    }

    private let state: Mutex<State>

    init(first: Int) {
        state = Mutex(State(next: first, lastBegun: first - 1))
    }

    var now: State { state.withLock(\.self) }

    func pass(_ share: Double?) { state.withLock { $0.share = share } }

    func begin(_ line: Int) {
        state.withLock { state in
            state.next = line
            state.lastBegun = line
            state.path = nil
        }
    }

    func aim(at path: String) { state.withLock { $0.path = path } }

    func end(_ line: Int) {
        state.withLock { state in
            state.next = line + 1
            state.path = nil
        }
    }

    /// True for the first caller, so that the line to resume from is reported once.
    func claimReport() -> Bool {
        state.withLock { state in
            defer { state.isReported = true }
            return !state.isReported
        }
    }
}

/// The result of one input line as a JSON object.
enum LineResult {
    static func done(_ line: Int, _ response: WriteResponse, isList: Bool) -> String {
        var result = begun(line, isDone: true, http: response.status)
        let records = response.records.records.map {
            String(decoding: response.records.bytes[$0.range], as: UTF8.self)
        }
        if isList || records.count > 1 {
            result.add("result", json: "[" + records.joined(separator: ",") + "]")
        } else {
            result.add("result", json: records.first ?? "null")
        }
        return result.text
    }

    /// - Parameter outcome: printed unless it is `failed`. A line that was carried out is `ok` even when its response is
    ///   incomplete, so that it is not sent again.
    static func failed(_ line: Int, _ facts: FailureDetails, outcome: LineOutcome) -> String {
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

/// Results of the lines of a run so far.
struct BatchResults: Sendable, Equatable {
    /// Number of lines carried out, or in a dry run, of lines that could be sent.
    private(set) var done = 0
    private(set) var failed = 0
    /// Number of lines that were carried out but got an incomplete response.
    private(set) var incomplete = 0
    /// The first lines that failed, at most 20.
    private(set) var failedLines: [Int] = []
    /// The first lines with an incomplete response, at most 20.
    private(set) var incompleteLines: [Int] = []

    private static let maximumLines = 20

    mutating func addDone() { done += 1 }

    mutating func addFailure(line: Int) {
        failed += 1
        if failedLines.count < Self.maximumLines { failedLines.append(line) }
    }

    /// Adds a line that was carried out but got an incomplete response.
    mutating func addIncomplete(line: Int) {
        done += 1
        incomplete += 1
        if incompleteLines.count < Self.maximumLines { incompleteLines.append(line) }
    }
}

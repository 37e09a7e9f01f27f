import CloverAPI
import CloverAuth
package import CloverRecords

/// `clover post`, `put` and `delete` with `--each`: a request for every line of the input, one after the other, and a
/// result for each.
package struct SendEach: Sendable {
    private let request: WriteRequest
    private let environment: CommandEnvironment
    /// How a failure is reported; nil for what ends the whole run as it is.
    private let describe: @Sendable (any Error) -> FailureFacts?

    package init(
        _ request: WriteRequest, in environment: CommandEnvironment,
        describing describe: @escaping @Sendable (any Error) -> FailureFacts?
    ) {
        self.request = request
        self.environment = environment
        self.describe = describe
    }

    /// Every line was carried out, unless this throws. `WriteError.linesFailed` and `.answersIncomplete` come after all
    /// others were, `.stopped` and `.timeRanOut` after those before.
    package func run() async throws -> FilterReport {
        if request.isDryRun {
            return try await EachPreview(request: request, environment: environment, describe: describe).run()
        }
        let connection = try await Connection.resolve(request.connection, in: environment)
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
        let pause = ServicePause()
        let client = try connection.makeClient(
            retries: request.maximumRetries, pacing: request.effectivePacing, pause: pause, in: environment)
        let filter = try await request.printing.makeFilter(
            format, .unknown, client, merchantID: connection.merchantID, in: environment)
        let position = EachPosition(first: request.firstLine)
        let diagnostics = environment.diagnostics
        let flight = WriteFlight(work: environment.criticalWork) { standing in
            let line = position.next
            switch standing {
            case .underWay:
                diagnostics.warning(
                    "stopping when the answer to line \(line) is here; if none comes, line \(line) may have been carried out: "
                        + "look, then go on with --resume-from \(line + 1), or \(line) when it was not")
            case .doubtful:
                diagnostics.warning(
                    "line \(line) may have been carried out by an earlier try: look before it is sent again")
            case .notDone: break
            }
        }
        let inspection = try RecordInspection(
            plan.path, isEnvelope: false, showsSensitive: request.showsSensitive,
            validates: false, environment.diagnostics)
        defer { inspection.finish() }
        let sender = WriteSender(
            plan: plan, client: client, diagnosis: TokenDiagnosis(connection, in: environment), inspection: inspection,
            flight: flight)
        do {
            let (tally, report) = try await TimeLimit.run(
                seconds: request.maximumTime, sleep: environment.sleep,
                timeRanOut: { [request, environment] in
                    _ = position.speak()
                    return WriteError.timeRanOut(
                        seconds: request.maximumTime ?? 0, line: position.next, path: position.path,
                        flight.abandon(), movesMoney: plan.path.movesMoney,
                        obstacle: pause.obstacle(at: environment.clock.boot()))
                },
            ) {
                try await ProgressBoard.during(in: environment) { board in
                    board.line(plan.path.display) { facts in
                        facts.unit = "line"
                        facts.done = position.next - request.firstLine
                        facts.share = position.share
                        facts.requests = client.requestCount
                        facts.secondsWaited = client.statistics.secondsWaited
                        facts.pausedUntil = pause.until
                    }
                    let tally = try await send(lines, sender, filter, position)
                    return (tally, try await filter.finish())
                }
            }
            diagnostics.detail(
                "\(tally.done) \(tally.done == 1 ? "line was" : "lines were") carried out, "
                    + "\(client.requestCount) \(client.requestCount == 1 ? "request" : "requests")")
            if tally.failed > 0 { throw WriteError.linesFailed(tally) }
            if tally.incomplete > 0 { throw WriteError.answersIncomplete(tally) }
            try request.printing.check(report)
            return report
        } catch let error as RecordWriteError {
            // Said also when the reader has left: only this tells what was sent.
            if position.speak() {
                let last = position.lastBegun
                diagnostics.warning(
                    "everything up to line \(last) was sent, but not every result could be written; "
                        + "go on with --resume-from \(last + 1)")
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
            if position.speak() {
                let next = position.next
                diagnostics.warning(
                    (next > 1 ? "stopped after line \(next - 1)" : "stopped before the first line")
                        + "; go on with --resume-from \(next)")
            }
            throw error
        }
    }

    /// What the lines before gave is printed all the same, also after a signal.
    private func breakOff(_ filter: any RecordFilter) async throws {
        try await Task { try await filter.breakOff() }.value
    }

    private func send(
        _ lines: any InputLines, _ sender: WriteSender, _ filter: any RecordFilter, _ position: EachPosition
    ) async throws -> EachTally {
        var tally = EachTally()
        var number = 0
        while let line = try await lines.next() {
            number += 1
            guard number >= request.firstLine else {
                position.pass(lines.share)
                continue
            }
            try Task.checkCancellation()
            position.begin(number)
            let flow = line.isBlank ? .more : try await send(line, number, sender, filter, position, &tally)
            position.end(number)
            position.pass(lines.share)
            if flow == .stop { return tally }
        }
        if request.firstLine > 1, number < request.firstLine {
            throw WriteError.noSuchLine(request.firstLine, lines: number)
        }
        return tally
    }

    /// Sends the request of one line and prints what became of it.
    private func send(
        _ text: InputText, _ number: Int, _ sender: WriteSender, _ filter: any RecordFilter,
        _ position: EachPosition, _ tally: inout EachTally
    ) async throws -> RecordFlow {
        let isList = sender.plan.path.endpoint?.shape == .list
        do {
            let (path, body) = try sender.plan.parts(of: text)
            position.aim(at: path.encoded)
            let flow = try await sender.flight.run {
                let answer = try await sender.send(body, to: path)
                let line = EachResult.done(number, answer, isList: isList)
                return try await Self.deliver(line, to: filter, in: environment)
            }
            tally.addDone()
            return flow
        } catch let error as RecordWriteError {
            throw error
        } catch {
            guard !(error is CancellationError), let facts = describe(error) else { throw error }
            let outcome = (error as? WriteFailure)?.outcome ?? .failed
            if outcome == .answerIncomplete {
                tally.addIncomplete(line: number)
            } else {
                tally.addFailure(line: number)
            }
            let line = EachResult.failed(number, facts, outcome: outcome)
            // Not cancelled by a signal: what is known of a line is printed.
            let environment = environment
            let flow = try await Task { try await Self.deliver(line, to: filter, in: environment) }.value
            if Self.stopsRun(error) { throw WriteError.stopped(facts, line: number, tally, outcome: outcome) }
            environment.diagnostics.failure(facts, line: number)
            return flow
        }
    }

    /// Returns when the result is on standard output: the next line is not sent before that.
    private static func deliver(
        _ line: String, to filter: any RecordFilter, in environment: CommandEnvironment
    ) async throws -> RecordFlow {
        let flow = try await filter.consume(RecordBatch(lines: [line]))
        try await environment.standardOutput.finishWriting()
        return flow
    }

    /// A refusal of this very line leaves the others their chance. Everything else would repeat for them, or leaves a
    /// doubt that somebody should look at first: going on could make the same record twice.
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

import CloverAPI
import CloverRecords

/// `--each` with `--dry-run`: the request of every line of the input, and nothing sent.
struct EachPreview {
    let request: WriteRequest
    let environment: CommandEnvironment
    /// How a failure is reported; nil for what ends the whole run as it is.
    let describe: @Sendable (any Error) -> FailureFacts?

    /// Every line could be sent, unless this throws: `WriteError.linesUnfit` comes after all others were printed.
    func run() async throws -> FilterReport {
        let target = try await WriteTarget.resolve(request.connection, in: environment)
        let plan = try await WritePlan.located(request, merchantID: target.merchantID, in: environment) {
            try await Connection.resolve(request.connection, in: environment).makeClient(retries: 0, in: environment)
        }
        let isInputTaken = request.input == nil || request.input == "-"
        let lines = try environment.openLines(isInputTaken ? nil : request.input)
        let mask = RequestMask(
            plan.path.endpoint, showsSensitive: request.showsSensitive, environment.diagnostics)
        let output = try await PreviewOutput(request.printing, mask, in: environment)
        var tally = EachTally()
        var number = 0
        while let line = try await lines.next() {
            number += 1
            guard number >= request.firstLine, !line.isBlank else { continue }
            do {
                let (path, body) = try plan.parts(of: line)
                let sent = plan.request(at: path, body: body, base: target.service.apiBaseURL)
                tally.addDone()
                try await output.show(RequestPreview(request: sent, line: number))
            } catch {
                guard WritePlan.isFaultOfLine(error), let facts = describe(error) else { throw error }
                tally.addFailure(line: number)
                environment.diagnostics.failure(facts, line: number)
                try await output.show(json: EachResult.failed(number, facts, outcome: .failed))
            }
        }
        if request.firstLine > 1, number < request.firstLine {
            throw WriteError.noSuchLine(request.firstLine, lines: number)
        }
        let report = try await output.finish()
        if tally.failed > 0 { throw WriteError.linesUnfit(tally) }
        environment.diagnostics.detail(
            "\(tally.done) \(tally.done == 1 ? "request" : "requests") printed, nothing sent")
        return report
    }
}

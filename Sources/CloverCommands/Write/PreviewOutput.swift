import CloverAPI
import CloverCore
import CloverHTTP
import CloverJSON
import CloverOutput

/// Prints requests instead of sending them, with secrets masked: as text on a terminal, otherwise as JSON lines.
struct PreviewOutput {
    private let output: RecordOutput
    /// Nil to print text.
    private let filter: (any RecordFilter)?
    private let mask: RequestMasker

    init(_ printing: RecordPrinting, _ mask: RequestMasker, in environment: CommandEnvironment) async throws {
        output = environment.standardOutput
        self.mask = mask
        let isText =
            environment.terminal.isOutputTerminal && !printing.isJSON && printing.program == nil
            && printing.format == FormatChoice() && !printing.slurp
        guard !isText else {
            filter = nil
            return
        }
        let plan = try printing.plan(.unknown, in: environment)
        filter = try await printing.makeFilter(plan, .unknown, nil, merchantID: "", in: environment)
    }

    func show(_ preview: RequestPreview) async throws {
        let preview = RequestPreview(request: try mask.masked(preview.request), line: preview.line)
        guard let filter else { return try await output.write(Array(preview.text.utf8)) }
        _ = try await filter.consume(RecordBatch(lines: [preview.json]))
    }

    /// Prints a line that is not a request.
    func show(json: String) async throws {
        guard let filter else { return try await output.write(Array((json + "\n").utf8)) }
        _ = try await filter.consume(RecordBatch(lines: [json]))
    }

    func finish() async throws -> FilterReport {
        let report = try await filter?.finish() ?? FilterReport()
        mask.report()
        return report
    }
}

/// `--each` with `--dry-run`: prints the request of every input line and sends nothing.
struct BatchPreview {
    let request: WriteRequest
    let environment: CommandEnvironment

    /// Prints the requests. Throws `WriteError.linesInvalid` at the end when some lines could not be sent.
    func run() async throws -> FilterReport {
        let (plan, base) = try await WritePlan.unsent(request, in: environment)
        let isInputTaken = request.input == nil || request.input == "-"
        let lines = try environment.openLines(isInputTaken ? nil : request.input)
        let mask = RequestMasker(
            plan.path.endpoint, showsSensitive: request.showsSensitive, environment.diagnostics)
        let output = try await PreviewOutput(request.printing, mask, in: environment)
        var results = BatchResults()
        var number = 0
        while let line = try await lines.next() {
            number += 1
            guard number >= request.firstLine, !line.isBlank else { continue }
            do {
                let (path, body) = try plan.parts(of: line)
                let sent = plan.request(at: path, body: body, base: base)
                results.addDone()
                try await output.show(RequestPreview(request: sent, line: number))
            } catch {
                guard WritePlan.isFaultOfLine(error), let facts = FailureDetails(of: error, in: environment) else {
                    throw error
                }
                results.addFailure(line: number)
                environment.diagnostics.failure(facts, line: number)
                try await output.show(json: LineResult.failed(number, facts, outcome: .failed))
            }
        }
        if request.firstLine > 1, number < request.firstLine {
            throw WriteError.noSuchLine(request.firstLine, lines: number)
        }
        let report = try await output.finish()
        if results.failed > 0 { throw WriteError.linesInvalid(results) }
        environment.diagnostics.detail(
            "\(results.done) \(results.done == 1 ? "request" : "requests") printed, nothing sent")
        return report
    }
}

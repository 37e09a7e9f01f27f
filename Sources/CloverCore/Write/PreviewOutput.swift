import CloverAPI
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

extension RecordBatch {
    /// Makes a batch of records from lines of JSON.
    init(lines: [String]) {
        self.init()
        for line in lines {
            var line = line
            line.withUTF8 { append(UnsafeRawBufferPointer($0)) }
        }
    }
}

/// A request that is printed and not sent.
struct RequestPreview {
    let request: ServiceRequest
    let line: Int?

    private static let authorization = "Bearer [redacted]"

    private var headers: [(name: String, value: String)] {
        request.headers.map { ($0.name, $0.value) } + [("Authorization", Self.authorization)]
            + (request.body.map { [("Content-Type", $0.contentType)] } ?? [])
    }

    /// The URL, in which an unknown merchant stays `{mId}`.
    private var url: String { request.url.replacing("%7BmId%7D", with: "{mId}") }

    private var body: String? { request.body.map { String(decoding: $0.bytes, as: UTF8.self) } }

    /// A JSON object with the body as it would be sent.
    var json: String {
        var fields = JSONLine()
        for header in headers { fields.add(header.name, header.value) }
        var result = JSONLine()
        if let line { result.add("line", Int64(line)) }
        result.add("method", request.method.rawValue)
        result.add("url", url)
        result.add("headers", json: fields.text)
        // JSON strings have no literal newlines, so any newline is insignificant.
        result.add("body", json: body.map { $0.filter { !$0.isNewline } } ?? "null")
        return result.text
    }

    var text: String {
        let head = ["\(request.method.rawValue) \(url)"] + headers.map { "\($0.name): \($0.value)" }
        return head.joined(separator: "\n") + "\n" + (body.map { "\n\($0)\n" } ?? "") + (line == nil ? "" : "\n")
    }
}

/// `--each` with `--dry-run`: prints the request of every input line and sends nothing.
struct BatchPreview {
    let request: WriteRequest
    let environment: CommandEnvironment
    /// Describes a failure for reports; returns nil for an error that ends the whole run unchanged.
    let describe: @Sendable (any Error) -> FailureDetails?

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
                guard WritePlan.isFaultOfLine(error), let facts = describe(error) else { throw error }
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

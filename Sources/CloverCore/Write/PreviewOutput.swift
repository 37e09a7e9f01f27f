import CloverAPI
import CloverRecords

/// Requests that are shown instead of sent, without their secrets: as text for a person, and as JSON lines otherwise.
struct PreviewOutput {
    private let output: RecordOutput
    /// Nil shows text.
    private let filter: (any RecordFilter)?
    private let mask: RequestMask
    private let diagnostics: Diagnostics

    init(_ printing: RecordPrinting, _ mask: RequestMask, in environment: CommandEnvironment) async throws {
        output = environment.standardOutput
        diagnostics = environment.diagnostics
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
        try await show(json: preview.json, filter)
    }

    /// A line that is no request.
    func show(json: String) async throws {
        guard let filter else { return try await output.write(Array((json + "\n").utf8)) }
        try await show(json: json, filter)
    }

    /// Says what was masked, besides.
    func finish() async throws -> FilterReport {
        let report = try await filter?.finish() ?? FilterReport()
        mask.notice?.show(diagnostics)
        return report
    }

    private func show(json: String, _ filter: any RecordFilter) async throws {
        _ = try await filter.consume(RecordBatch(lines: [json]))
    }
}

extension RecordBatch {
    /// Records of our own, each on one line.
    init(lines: [String]) {
        self.init()
        for line in lines {
            var line = line
            line.withUTF8 { append(UnsafeRawBufferPointer($0)) }
        }
    }
}

import ArgumentParser
import CloverCore

/// Options of all writes: output, limits and connection.
struct AnswerOptions: ParsableArguments {
    @OptionGroup(title: "What to print")
    var jq: JQOptionGroup

    @OptionGroup(title: "What to print")
    var format: FormatOptions

    @OptionGroup(title: "What to print")
    var sensitivity: SensitivityOptions

    @OptionGroup(title: "Instead of sending")
    var curl: CurlOptions

    @OptionGroup(title: "Limits")
    var limits: LimitOptions

    @OptionGroup(title: "Connection")
    var connection: ConnectionOptions

    @OptionGroup(title: "Messages")
    var messages: MessageOptions

    /// Sends the request and returns the exit status.
    func send(_ request: WriteRequest, in environment: CommandEnvironment) async throws -> Int32 {
        let environment = messages.applied(to: environment)
        var request = request
        let settings = try await environment.settings(for: connection.choice)
        try limits.apply(to: &request, settings)
        request.program = jq.choice
        request.slurp = jq.slurp
        request.format = try format.choice(
            settings, isFormDecided: jq.choice != nil || jq.slurp || messages.json)
        request.isJSON = messages.json
        request.showsSensitive = try sensitivity.isShown(settings)
        if curl.isWanted {
            guard !request.isEach else {
                throw ValidationError("--curl is for one request; --dry-run shows those of --each")
            }
            return try await curl.print(try await SendRecord(request, in: environment).command(), in: environment)
        }
        let report =
            request.isEach
            ? try await SendEach(request, in: environment, describing: { Self.describe($0, in: environment) }).run()
            : try await SendRecord(request, in: environment).run()
        return jq.ending(of: report, in: environment)
    }

    /// The facts also go to standard output, where no other mask is applied to what the service repeats.
    private static func describe(_ error: any Error, in environment: CommandEnvironment) -> FailureFacts? {
        guard case .report(let report) = ErrorReport.ending(of: error) else { return nil }
        return report.facts.masked(by: environment.diagnostics.mask)
    }
}

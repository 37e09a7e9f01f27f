import CloverAuth
import CloverCore
import CloverOutput

/// Runs `clover get --profiles`: the same request for one merchant after the other, with one output.
struct GetProfiles: Sendable {
    private let request: GetRequest
    private let choices: [ConnectionChoice]
    private let environment: CommandEnvironment

    init(_ request: GetRequest, _ choices: [ConnectionChoice], _ environment: CommandEnvironment) {
        var request = request
        request.tagsMerchant = true
        if request.program == nil { request.isJSON = request.isJSON || request.format.format == nil }
        self.request = request
        self.choices = choices
        self.environment = environment
    }

    /// - Throws: `MerchantFailures` when some failed; the records of the others are delivered.
    func run() async throws -> FilterReport {
        let output = await OutputDigest.watching(environment.standardOutput)
        var failures = MerchantFailures(verb: "read")
        var report = FilterReport()
        for choice in choices {
            var own = request
            own.connection = choice
            // One header for all.
            if own.format.format?.hasColumns ?? false, output.bytes > 0 { own.format.hasHeader = false }
            do {
                let read = try await GetRecords(request: own, environment: environment).run()
                report.results += read.results
                (report.lastResult, report.halt) = (read.lastResult, read.halt)
                failures.done += 1
                if read.halt != nil { break }
            } catch {
                try failures.add(choice.profile ?? "?", error, environment)
            }
        }
        try failures.finish()
        return report
    }
}

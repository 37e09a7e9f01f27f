import ArgumentParser
import CloverCore

/// How long, how often and how fast it is tried.
struct LimitOptions: ParsableArguments {
    @Option(
        name: .customLong("max-time"), parsing: .unconditional,
        help: ArgumentHelp("Give up after so long: 30, 90s, 5m (CLOVER_MAX_TIME).", valueName: "duration"))
    var maximumTime: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Send a failed request again so often at most (default: 5).", valueName: "count"))
    var retry: Int?

    @Flag(name: .customLong("no-retry"), help: "Send nothing twice; the same as --retry 0.")
    var sendsOnce = false

    @Option(
        name: .customLong("requests-per-second"), parsing: .unconditional,
        help: ArgumentHelp("Send so many requests in any second at most (default: 16).", valueName: "count"))
    var requestsPerSecond: Int?

    @Option(
        name: .customLong("in-flight"), parsing: .unconditional,
        help: ArgumentHelp("Have so many requests under way at most (default: 5).", valueName: "count"))
    var inFlight: Int?

    @Flag(
        name: .customLong("no-pacing"),
        help: "Send without regard to limits and to other processes: for an emulator of your own.")
    var isUnpaced = false

    func validate() throws {
        if let retry, !(0...100).contains(retry) {
            throw ValidationError("--retry takes a whole number from 0 to 100, not \(retry)")
        }
        if retry != nil, sendsOnce { throw ValidationError("--retry and --no-retry exclude each other") }
        if let requestsPerSecond, !PacingChoice.requestsPerSecondRange.contains(requestsPerSecond) {
            throw ValidationError("--requests-per-second takes a whole number from 1 to 480, not \(requestsPerSecond)")
        }
        if let inFlight, !PacingChoice.inFlightRange.contains(inFlight) {
            throw ValidationError("--in-flight takes a whole number from 1 to 1000, not \(inFlight)")
        }
        if isUnpaced, requestsPerSecond != nil || inFlight != nil {
            throw ValidationError("--no-pacing excludes --requests-per-second and --in-flight")
        }
    }

    func apply(to request: inout GetRequest, variables: [String: String]) throws {
        request.maximumTime = try seconds(variables)
        request.maximumRetries = retries
        request.pacing = pacing
    }

    func apply(to request: inout WriteRequest, variables: [String: String]) throws {
        request.maximumTime = try seconds(variables)
        request.maximumRetries = retries
        request.pacing = pacing
    }

    private var retries: Int { sendsOnce ? 0 : retry ?? 5 }

    private var pacing: PacingChoice {
        var choice = PacingChoice()
        choice.requestsPerSecond = requestsPerSecond
        choice.inFlight = inFlight
        choice.isOff = isUnpaced
        return choice
    }

    private func seconds(_ variables: [String: String]) throws -> Double? {
        guard let text = maximumTime ?? variables["CLOVER_MAX_TIME"], !text.isEmpty else { return nil }
        return try DurationExpression.seconds(text)
    }
}

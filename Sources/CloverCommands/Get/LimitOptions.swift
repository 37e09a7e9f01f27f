import ArgumentParser
import CloverConfiguration
import CloverCore
import CloverHTTP

/// Time limit, retries and rate limits.
struct LimitOptions: ParsableArguments {
    @Option(
        name: .customLong("max-time"), parsing: .unconditional,
        help: ArgumentHelp("Maximum time for the whole run: 30, 90s, 5m (CLOVER_MAX_TIME).", valueName: "duration"))
    var maximumTime: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp(
            "Maximum number of retries of a failed request (CLOVER_RETRY; default: \(RetryPolicy.usualRetries)).",
            valueName: "count"))
    var retry: Int?

    @Flag(
        name: .customLong("no-retry"),
        help: "Send each request once, do not wait out pauses, and show refusals unchanged; otherwise like --retry 0.")
    var sendsOnce = false

    @Option(
        name: .customLong("requests-per-second"), parsing: .unconditional,
        help: ArgumentHelp(
            "Maximum requests per second (CLOVER_REQUESTS_PER_SECOND; default: 16).", valueName: "count"
        ))
    var requestsPerSecond: Int?

    @Option(
        name: .customLong("in-flight"), parsing: .unconditional,
        help: ArgumentHelp(
            "Maximum concurrent requests (CLOVER_IN_FLIGHT; default: 5).", valueName: "count"))
    var inFlight: Int?

    @Option(
        name: .customLong("app-requests-per-second"), parsing: .unconditional,
        help: ArgumentHelp(
            "Maximum requests per second of the app, over all its tokens (CLOVER_APP_REQUESTS_PER_SECOND; default: 50).",
            valueName: "count"))
    var appRequestsPerSecond: Int?

    @Option(
        name: .customLong("app-in-flight"), parsing: .unconditional,
        help: ArgumentHelp(
            "Maximum concurrent requests of the app, over all its tokens (CLOVER_APP_IN_FLIGHT; default: 10).",
            valueName: "count"))
    var appInFlight: Int?

    @Flag(
        name: .customLong("no-pacing"),
        help: "Ignore rate limits and other processes; for your own emulator only.")
    var isUnpaced = false

    func validate() throws {
        if let retry, !(0...100).contains(retry) {
            throw ValidationError("--retry takes a whole number from 0 to 100, not \(retry)")
        }
        if retry != nil, sendsOnce { throw ValidationError("--retry and --no-retry exclude each other") }
        for (option, value, range) in limits {
            guard let value else { continue }
            if isUnpaced { throw ValidationError("--no-pacing excludes \(option)") }
            guard range.contains(value) else {
                throw ValidationError(
                    "\(option) takes a whole number from \(range.lowerBound) to \(range.upperBound), not \(value)")
            }
        }
    }

    private var limits: [(option: String, value: Int?, range: ClosedRange<Int>)] {
        [
            ("--requests-per-second", requestsPerSecond, RateLimitOptions.requestsPerSecondRange),
            ("--in-flight", inFlight, RateLimitOptions.inFlightRange),
            ("--app-requests-per-second", appRequestsPerSecond, RateLimitOptions.requestsPerSecondRange),
            ("--app-in-flight", appInFlight, RateLimitOptions.inFlightRange),
        ]
    }

    func apply(to request: inout some LimitedRequest, _ settings: ConfigurationLayers) throws {
        request.maximumTime =
            try maximumTime.map { try DurationExpression.seconds($0) } ?? settings.seconds(.maximumTime)
        request.maximumRetries =
            try sendsOnce ? 0 : retry ?? settings.wholeNumber(.retry) ?? request.maximumRetries
        request.pacing = RateLimitOptions()
        request.pacing.maximumTime = request.maximumTime
        request.pacing.waitsOutPauses = request.maximumRetries > 0
        request.pacing.showsRefusals = sendsOnce
        request.pacing.requestsPerSecond = requestsPerSecond
        request.pacing.inFlight = inFlight
        request.pacing.appRequestsPerSecond = appRequestsPerSecond
        request.pacing.appInFlight = appInFlight
        request.pacing.isOff = isUnpaced
    }
}

/// The options of a run whose time, retries and requests are limited.
protocol LimitedRequest {
    /// In seconds.
    var maximumTime: Double? { get set }
    var maximumRetries: Int { get set }
    var pacing: RateLimitOptions { get set }
}

extension GetRequest: LimitedRequest {}
extension WriteRequest: LimitedRequest {}
extension ExportRequest: LimitedRequest {}
extension FollowRequest: LimitedRequest {}

import ArgumentParser
import CloverEmulator

/// The limit options of `serve`, and the number of apps and merchants that limits apply to.
struct LimitOptions: ParsableArguments {
    @Flag(name: .customLong("no-limits"), help: "Count requests without refusing any.")
    var hasNoLimits = false

    @Option(help: ArgumentHelp("Maximum requests per second of a token.", valueName: "count"))
    var requestsPerSecond = TrafficLimits().tokenPerSecond

    @Option(help: ArgumentHelp("Maximum concurrent requests of a token.", valueName: "count"))
    var inFlight = TrafficLimits().tokenInFlight

    @Option(help: ArgumentHelp("Maximum requests per second of an app with all its tokens.", valueName: "count"))
    var appRequestsPerSecond = TrafficLimits().appPerSecond

    @Option(help: ArgumentHelp("Maximum concurrent requests of an app with all its tokens.", valueName: "count"))
    var appInFlight = TrafficLimits().appInFlight

    @Option(
        help: ArgumentHelp(
            "Number of apps that merchants can sign in to, each with separate limits.",
            discussion: "The ready line has the ids and secrets of all apps.", valueName: "count"))
    var apps = 1

    @Option(
        help: ArgumentHelp(
            "Number of merchants: the same shop under different ids.",
            discussion: """
                The merchant_id parameter of the consent page selects the merchant; the default is the first one. \
                All merchants share what any of them writes.
                """,
            valueName: "count"))
    var merchants = 1

    func validate() throws {
        for (name, value) in [
            ("--requests-per-second", requestsPerSecond), ("--in-flight", inFlight),
            ("--app-requests-per-second", appRequestsPerSecond), ("--app-in-flight", appInFlight),
        ] where !(1...10_000).contains(value) {
            throw ValidationError("\(name) must be from 1 to 10000")
        }
        for (name, value) in [("--apps", apps), ("--merchants", merchants)] where !Tenants.range.contains(value) {
            throw ValidationError("\(name) must be from \(Tenants.range.lowerBound) to \(Tenants.range.upperBound)")
        }
    }

    /// The limits from the options; call after `validate`.
    var limits: TrafficLimits {
        var limits = TrafficLimits()
        limits.tokenPerSecond = requestsPerSecond
        limits.tokenInFlight = inFlight
        limits.appPerSecond = appRequestsPerSecond
        limits.appInFlight = appInFlight
        return limits
    }
}

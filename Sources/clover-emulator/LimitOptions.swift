import ArgumentParser
import CloverEmulator

/// The options of `serve` about limits, and about those they hold for.
struct LimitOptions: ParsableArguments {
    @Flag(name: .customLong("no-limits"), help: "Count requests without refusing any.")
    var hasNoLimits = false

    @Option(help: ArgumentHelp("Requests of a token in any second.", valueName: "count"))
    var requestsPerSecond = TrafficLimits().tokenPerSecond

    @Option(help: ArgumentHelp("Requests of a token in flight.", valueName: "count"))
    var inFlight = TrafficLimits().tokenInFlight

    @Option(help: ArgumentHelp("The same for an app with all its tokens.", valueName: "count"))
    var appRequestsPerSecond = TrafficLimits().appPerSecond

    @Option(help: ArgumentHelp("The same for an app with all its tokens.", valueName: "count"))
    var appInFlight = TrafficLimits().appInFlight

    @Option(
        help: ArgumentHelp(
            "Number of apps that merchants can sign in to, each with limits of its own.",
            discussion: "The ready line has the ids and secrets of all.", valueName: "count"))
    var apps = 1

    @Option(
        help: ArgumentHelp(
            "Number of merchants: the same shop, each time under another id.",
            discussion: """
                A merchant signs in with merchant_id in the address of the consent page; without it, it is the first \
                one. What one of them writes, all of them have.
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

    /// What the options say; only after `validate`.
    var limits: TrafficLimits {
        var limits = TrafficLimits()
        limits.tokenPerSecond = requestsPerSecond
        limits.tokenInFlight = inFlight
        limits.appPerSecond = appRequestsPerSecond
        limits.appInFlight = appInFlight
        return limits
    }
}

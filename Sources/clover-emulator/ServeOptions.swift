import ArgumentParser
import CloverEmulator

/// Parses the values of options.
enum OptionText {
    /// - Throws: `ValidationError` that names the option.
    static func duration(
        _ name: String, _ text: String, atLeast least: Duration = .zero, form: String
    ) throws -> Duration {
        guard let duration = DurationText.duration(text), duration >= least else {
            throw ValidationError("\(name) must be a duration \(form)")
        }
        return duration
    }

    /// - Parameter alternative: what the option accepts beside instants.
    static func instant(_ name: String, _ text: String, or alternative: String = "") throws -> Int {
        guard let instant = InstantText.milliseconds(text) else {
            throw ValidationError("\(name) must be an instant such as 2026-01-31T23:00:00Z\(alternative)")
        }
        return instant
    }

    static func fault(_ name: String, _ text: String, for target: FaultTarget = .records) throws -> FaultSpec {
        do {
            return try FaultSpec(parsing: text, for: target)
        } catch {
            throw ValidationError("\(name) \(text): \(error)")
        }
    }

    static func check(_ name: String, _ value: Int, in range: ClosedRange<Int>) throws {
        guard range.contains(value) else {
            throw ValidationError("\(name) must be from \(range.lowerBound) to \(range.upperBound)")
        }
    }
}

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

    func apply(to options: inout EmulatorOptions) throws {
        for (name, value) in [
            ("--requests-per-second", requestsPerSecond), ("--in-flight", inFlight),
            ("--app-requests-per-second", appRequestsPerSecond), ("--app-in-flight", appInFlight),
        ] {
            try OptionText.check(name, value, in: 1...10_000)
        }
        try OptionText.check("--apps", apps, in: Tenants.appRange)
        try OptionText.check("--merchants", merchants, in: Tenants.merchantRange)
        options.enforcesLimits = !hasNoLimits
        options.limits.tokenPerSecond = requestsPerSecond
        options.limits.tokenInFlight = inFlight
        options.limits.appPerSecond = appRequestsPerSecond
        options.limits.appInFlight = appInFlight
        options.merchantCount = merchants
        options.appCount = apps
    }
}

/// The options of `serve` for deliberate list faults.
struct ListOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Insert one row and delete one after this number of requests for a list.",
            discussion: """
                Applies to the lists of orders, items and customers, each counted separately. A row that the client \
                has already seen is deleted before the response, and a new row is inserted at the front of the list \
                after it; next time, the other way round. GET /emulator/drift has the ids.
                """,
            valueName: "requests"))
    var drift: Int?

    @Option(
        help: ArgumentHelp(
            "Number of spontaneous changes of the shop per second.",
            discussion: """
                Orders, payments, customers and items are created, changed and, except for payments, deleted; the \
                seed and the number of a change determine it. With --now clock they have the current time. GET \
                /emulator/churn shows the changes made; POST /emulator/churn?rate=R sets another rate, 0 for none, \
                and ?changes=N makes changes at once. GET /emulator/records/LIST has all current records of a list, \
                one per line.
                """,
            valueName: "rate"))
    var churn: Double = 0

    @Option(
        help: ArgumentHelp(
            "Probability, from 0 to 1, that a page in the middle of a list is shorter than requested.",
            valueName: "probability"))
    var shortPage: Double = 0

    @Option(
        help: ArgumentHelp(
            "Return 500 for this record, which stays in its lists; can be given more than once.", valueName: "id"))
    var missing: [String] = []

    @Option(help: ArgumentHelp("Maximum page size; larger limits are silently clamped.", valueName: "count"))
    var clamp: Int = 1000

    func apply(to options: inout EmulatorOptions) throws {
        if let drift, drift < 1 { throw ValidationError("--drift must be at least 1") }
        guard (0...10_000).contains(churn) else { throw ValidationError("--churn must be from 0 to 10000") }
        guard (0...1).contains(shortPage) else { throw ValidationError("--short-page must be from 0 to 1") }
        try OptionText.check("--clamp", clamp, in: 1...1000)
        options.quirks.drift = drift
        options.quirks.churn = churn
        options.quirks.shortPages = shortPage
        options.quirks.missing = Set(missing)
        options.quirks.largestLimit = clamp
    }
}

/// The card and device options of `serve`.
struct PaymentOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Behaviour of the card presented to a device.",
            discussion: "One of \(CardBehaviour.allCases.map(\.rawValue).joined(separator: ", ")).",
            valueName: "behaviour"))
    var card: String = CardBehaviour.approve.rawValue

    @Option(
        help: ArgumentHelp(
            "Time until a card is presented to a device; until then a payment can be cancelled.",
            valueName: "duration"))
    var cardTime: String = "0ms"

    @Option(help: ArgumentHelp("Time that the card issuer takes to decide.", valueName: "duration"))
    var authorizationTime: String = "0ms"

    @Option(help: ArgumentHelp("Additional time with the fault slow-card.", valueName: "duration"))
    var slowCardTime: String = "3s"

    @Option(
        help: ArgumentHelp(
            "Time during which a device payment can be voided; afterwards a void is a refund.", valueName: "duration"))
    var voidWindow: String = "25m"

    @Option(help: ArgumentHelp("Time during which a page of Hosted Checkout can be paid.", valueName: "duration"))
    var checkoutLife: String = "15m"

    func apply(to options: inout EmulatorOptions) throws {
        guard let behaviour = CardBehaviour(rawValue: card) else {
            throw ValidationError(
                "--card must be one of \(CardBehaviour.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        func duration(_ name: String, _ text: String) throws -> Duration {
            try OptionText.duration(name, text, form: "such as 50ms, 3s or 25m")
        }
        options.payments.card = behaviour
        options.payments.cardTime = try duration("--card-time", cardTime)
        options.payments.authorizationTime = try duration("--authorization-time", authorizationTime)
        options.payments.slowCardTime = try duration("--slow-card-time", slowCardTime)
        options.payments.voidWindow = try duration("--void-window", voidWindow)
        options.payments.checkoutLife = try duration("--checkout-life", checkoutLife)
    }
}

/// The Export API options of `serve`.
struct ExportOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "When exports can be requested: at any time, or in the service's hours for the US or the EU.",
            valueName: "any|us|eu"))
    var exportHours: ExportHours = .any

    @Option(
        help: ArgumentHelp(
            "Initial time of the export clock.",
            discussion: """
                The default is the system time. GET /emulator/exports shows it; POST /emulator/exports?advance=24h \
                and ?now=INSTANT change it.
                """,
            valueName: "instant"))
    var exportNow: String?

    @Option(help: ArgumentHelp("Time that an export takes.", valueName: "duration"))
    var exportTime: String = "300ms"

    @Option(help: ArgumentHelp("Time for which the files of an export are kept.", valueName: "duration"))
    var exportLife: String = "24h"

    @Option(help: ArgumentHelp("Maximum number of concurrent exports; another one gets 503.", valueName: "count"))
    var exportSlots: Int = 3

    @Option(help: ArgumentHelp("Number of exports, counted from the first, that fail.", valueName: "count"))
    var failExports: Int = 0

    func apply(to options: inout EmulatorOptions) throws {
        func duration(_ name: String, _ text: String) throws -> Duration {
            try OptionText.duration(name, text, form: "such as 300ms, 2m or 24h")
        }
        options.exports.hours = exportHours
        options.exports.time = try duration("--export-time", exportTime)
        options.exports.fileLife = try duration("--export-life", exportLife)
        options.exports.now = try exportNow.map { try OptionText.instant("--export-now", $0) }
        guard exportSlots >= 0 else { throw ValidationError("--export-slots must not be negative") }
        guard failExports >= 0 else { throw ValidationError("--fail-exports must not be negative") }
        options.exports.slots = exportSlots
        options.exports.failures = failExports
    }
}

extension ExportHours: ExpressibleByArgument {}

/// The webhook options of `serve`.
struct WebhookOptions: ParsableArguments {
    @Option(
        name: .customLong("webhook-url"),
        help: ArgumentHelp("Send the shop's changes to this http URL.", valueName: "url"))
    var webhookURL: String?

    @Option(
        help: ArgumentHelp(
            "Value of the header X-Clover-Auth (default: generated from the seed).", valueName: "code"))
    var webhookAuthCode: String?

    @Option(
        help: ArgumentHelp(
            "Also send what becomes of sessions of Hosted Checkout, signed under this secret.", valueName: "secret"))
    var webhookSigningSecret: String?

    @Option(help: ArgumentHelp("Maximum number of events in one body.", valueName: "count"))
    var webhookBundle = 4

    @Option(help: ArgumentHelp("Maximum delay; each body has a random one.", valueName: "duration"))
    var webhookDelay: String = "0ms"

    func apply(to options: inout EmulatorOptions) throws {
        guard let webhookURL else {
            if webhookAuthCode != nil || webhookSigningSecret != nil
                || options.faults.contains(where: \.kind.isOfWebhooks)
            {
                throw ValidationError("there are no webhooks without --webhook-url")
            }
            return
        }
        guard let address = WebhookAddress(parsing: webhookURL) else {
            throw ValidationError("--webhook-url must be an http URL such as http://127.0.0.1:8978/")
        }
        if let webhookAuthCode,
            webhookAuthCode.isEmpty || !webhookAuthCode.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        {
            throw ValidationError("--webhook-auth-code must be printable ASCII characters without spaces")
        }
        var settings = WebhookSettings(address: address)
        settings.authCode = webhookAuthCode
        settings.signingSecret = webhookSigningSecret
        try OptionText.check("--webhook-bundle", webhookBundle, in: 1...1000)
        settings.bundle = webhookBundle
        settings.delay = try OptionText.duration("--webhook-delay", webhookDelay, form: "such as 50ms, 3s or 25m")
        settings.faults = options.faults.filter(\.kind.isOfWebhooks)
        options.webhooks = settings
    }
}

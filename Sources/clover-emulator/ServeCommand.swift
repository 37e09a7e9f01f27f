import ArgumentParser
import CloverEmulator
import Glibc

/// `clover-emulator serve`
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve a fictitious coffee shop until interrupted",
        discussion: """
            Examples:
              clover-emulator serve --port 8080 --seed 7
              clover-emulator serve --orders 100000 --no-limits --log
              clover-emulator serve --fault truncate@3 --fault 503-html:0.2:/orders

            When it is ready, it prints one line of JSON with the keys event, url, \
            merchantId, accessToken, appId, appSecret, otherAccessTokens, \
            otherMerchantIds, otherMerchants and otherApps; on a terminal, it prints \
            commands to sign in and to start with instead. accessToken is one that \
            the merchant created; the others belong to the app, whose limits count \
            them together. The page at / shows the shop, requests as they come, \
            limits and charges.

            It serves every catalogued V3 path. Changes made with POST, PUT and \
            DELETE appear in later responses; they are lost at exit without --state.

            The same seed, number of orders and --now give the same bytes in every \
            response. So do the same writes, which are one second apart by the \
            shop's clock; with --now clock that clock is the system's. GET \
            /emulator/stats shows the traffic, in total and for each app and token; \
            it needs no token and is not counted. GET /emulator/requests has the \
            last 10,000 requests, each with the times of its arrival and of the end \
            of its response.

            A FAULT is KIND[:PROBABILITY|@REQUEST|@FROM-TO][:/path-prefix]; requests \
            count from 1. KIND is reset, 500, 503-html, truncate, slow, 429-rate, \
            429-concurrent, not-json, no-elements or lose-answer, which carries out \
            the request and resets the connection.

            Cards are charged as at Clover, with all hosts on one address: card \
            tokens at /v1/tokens, with the key of /pakms/apikey, /v1/charges and \
            /v1/refunds, and payments by the shop's devices under /connect/v1. The \
            test cards of Clover's documentation behave as documented. /v1/charges and \
            /v1/refunds show the time of the Date header; the same payments in V3 have \
            the shop's time: a client that looks them up there by time needs --now \
            clock. \
            GET /emulator/charges lists every movement of money with its idempotency \
            key; POST /emulator/closeout ends the day for tips and voids.

            Faults specific to payments count only the calls that they apply to, and \
            so does any other fault whose path begins with /v1 or /connect: \
            decline@2 is for the second charge, and lose-answer@1:/v1/charges \
            carries out the first charge and sends no response. Their KIND is \
            500-after, which carries out the call and returns 500, slow-card, \
            decline, decline-500, key-clash, forget-key and token-used; for devices \
            also partial, duplicate, signature, cancel (209), busy (503), \
            unsupported (501) and timeout, which carries out the call and returns \
            504.

            The Export API exports orders and payments at /v3/merchants/ID/exports. \
            A FAULT whose path begins with /export-files/ counts file downloads.

            With --webhook-url, the shop's changes are sent as an app's webhooks: first a \
            verification code, again and again until the URL responds with 200, then \
            events, with the header X-Clover-Auth. The ready line has its code as \
            webhookAuthCode, and GET /emulator/webhooks shows what was sent. A FAULT may \
            be webhook-lose, webhook-double or webhook-reorder, such as \
            webhook-lose=10%; these count bodies.

            Signing in works as at Clover, with all hosts on one address: the \
            consent page is /oauth/v2/authorize, codes are exchanged at \
            /oauth/v2/token, tokens renewed at /oauth/v2/refresh; the older \
            /oauth/authorize, /oauth/token and /oauth/token/migrate_v2 exist too, \
            and /pakms/apikey. Codes and tokens are new in every run. They expire by \
            the system clock and not by --now.

            An OAUTH-FAULT applies to the calls that issue codes or tokens. It has \
            the same form, and each one counts the calls that its path matches. KIND \
            is lose-answer or truncate, after the call is carried out, or reset, \
            500, 503-html or not-json, instead of it. lose-answer@1:/oauth/v2/refresh \
            renews the tokens at the first refresh, but resets the connection.

            A DURATION is a number with one of the units ms, s, m, h and d.
            """)

    @Option(help: "Port on 127.0.0.1; 0 selects a free port.")
    var port: Int = 0

    @Option(help: "Seed that the shop, its secrets and the faults are generated from.")
    var seed: UInt64 = 1

    @Option(help: "Number of orders in the shop's history.")
    var orders: Int = 5000

    @Option(
        help: ArgumentHelp(
            "Days of that history, up to twenty years (default: one per 45 orders, at most four years).",
            valueName: "count"))
    var days: Int?

    @Option(
        help: ArgumentHelp(
            "End of the shop's history: an ISO 8601 time, or 'clock' for the start time of the emulator.",
            discussion: """
                The 90-day rules count from there. The default is constant, so that responses are the same every day; \
                with 'clock' the newest orders are recent and responses differ between starts.
                """,
            valueName: "instant"))
    var now: String = "2026-01-31T23:00:00Z"

    @Option(
        help: ArgumentHelp(
            "The merchant's createdTime: an ISO 8601 time (default: before all records).",
            discussion: "With a later time there are records older than the merchant, as after an import.",
            valueName: "instant"))
    var merchantSince: String?

    @Option(help: "Delay before each response, such as 50ms or 1.5s.")
    var latency: String = "0ms"

    @Option(
        name: .customLong("fault"),
        help: ArgumentHelp("Inject a fault into responses; can be given more than once.", valueName: "fault"))
    var faults: [String] = []

    @Option(
        help: ArgumentHelp(
            "File that stores writes and is loaded at start.",
            discussion: """
                It is created if it does not exist, and belongs to one --seed, --orders, --days and --now; with --now \
                clock the shop's history ends at the first start.
                """,
            valueName: "file"))
    var state: String?

    @Flag(help: "Write a line for each request to standard error.")
    var log = false

    @Flag(help: "Stop when standard input ends, such as a pipe from the program that uses the emulator.")
    var untilInputEnds = false

    @OptionGroup(title: "Limits")
    var limits: LimitOptions

    @OptionGroup(title: "List faults")
    var lists: ListOptions

    @OptionGroup(title: "Payments")
    var payments: PaymentOptions

    @OptionGroup(title: "Exports")
    var exports: ExportOptions

    @OptionGroup(title: "Webhooks")
    var webhooks: WebhookOptions

    @OptionGroup(title: "Signing in")
    var oauth: OAuthOptions

    func validate() throws {
        _ = try options()
    }

    private func options() throws -> EmulatorOptions {
        var options = EmulatorOptions()
        try OptionText.check("--port", port, in: 0...65_535)
        try OptionText.check("--orders", orders, in: 0...ShopSettings.mostOrders)
        if let days { try OptionText.check("--days", days, in: 1...ShopSettings.mostDays) }
        options.isLive = now == "clock"
        let end = try options.isLive ? EmulatorClock().now() : OptionText.instant("--now", now, or: ", or 'clock'")
        options.port = port
        options.shop = ShopSettings(
            seed: seed, orderCount: orders, now: end, days: days,
            merchantTime: try merchantSince.map { try OptionText.instant("--merchant-since", $0) })
        options.latency = try OptionText.duration("--latency", latency, form: "such as 50ms or 1.5s")
        options.faults = try faults.map { try OptionText.fault("--fault", $0) }
        try limits.apply(to: &options)
        try lists.apply(to: &options)
        try payments.apply(to: &options)
        try exports.apply(to: &options)
        try oauth.apply(to: &options)
        try webhooks.apply(to: &options)
        options.statePath = state
        if log {
            options.log = (
                isColored: Self.isColored(STDERR_FILENO), write: { FileOutput.write($0, to: STDERR_FILENO) }
            )
        }
        return options
    }

    /// Whether text for this descriptor may have colours (no-color.org).
    private static func isColored(_ descriptor: Int32) -> Bool {
        func variable(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
        return isatty(descriptor) == 1 && variable("NO_COLOR").isEmpty && !["", "dumb"].contains(variable("TERM"))
    }

    func run() async throws {
        let options = try options()
        if untilInputEnds { InputEnd.stopsThisProcess() }
        do {
            try await EmulatorServer(options).run { facts in
                // Unbuffered, because other programs wait for the line.
                FileOutput.write(
                    isatty(STDOUT_FILENO) == 1
                        ? facts.greeting(isColored: Self.isColored(STDOUT_FILENO)) : facts.json + "\n",
                    to: STDOUT_FILENO)
            }
        } catch let error as EmulatorError {
            FileOutput.write("clover-emulator: \(error)\n", to: STDERR_FILENO)
            throw ExitCode(69)
        } catch let error as JournalError {
            FileOutput.write("clover-emulator: \(error)\n", to: STDERR_FILENO)
            throw ExitCode(74)
        }
    }
}

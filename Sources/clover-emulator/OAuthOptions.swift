import ArgumentParser
import CloverEmulator

/// The sign-in options of `serve`.
struct OAuthOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Lifetime of an access token.", valueName: "duration"))
    var accessTokenLife: String = "30m"

    @Option(help: ArgumentHelp("Lifetime of a refresh token.", valueName: "duration"))
    var refreshTokenLife: String = "366d"

    @Option(help: ArgumentHelp("Lifetime of an authorization code.", valueName: "duration"))
    var codeLife: String = "60s"

    @Option(
        help: ArgumentHelp(
            "Maximum number of valid refresh tokens; 0 for no limit.",
            discussion: "Another one invalidates the oldest.", valueName: "count"))
    var refreshTokenCap: Int = 0

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Offset of the token clock: ahead, such as 1h, or behind, such as -1h.",
            discussion: "The Date header of every response follows it.", valueName: "duration"))
    var clockSkew: String = "0s"

    @Option(
        help: ArgumentHelp(
            "Delay before a token call is carried out.",
            discussion: "The call is carried out even if the client has disconnected by then.", valueName: "duration"))
    var oauthLatency: String = "0ms"

    @Option(
        help: ArgumentHelp(
            "Delay between carrying out a token call and its response.", valueName: "duration"))
    var oauthAnswerDelay: String = "0ms"

    @Option(
        name: .customLong("oauth-fault"),
        help: ArgumentHelp("Inject a fault into token calls; can be given more than once.", valueName: "oauth-fault"))
    var oauthFaults: [String] = []

    @Option(
        name: .customLong("without-permission"),
        help: ArgumentHelp(
            "Return 401 for these records, as without the permission; can be given more than once.",
            discussion: """
                A family is the path segment after the merchant, such as orders or employees, or 'merchant' for the \
                merchant itself. Applies to every token.
                """,
            valueName: "family"))
    var withoutPermissions: [String] = []

    @Option(
        name: .customLong("site-url"),
        help: ArgumentHelp(
            "Redirect browsers only to addresses below this one, as Clover does; can be given more than once.",
            discussion: """
                This is the registered Site URL of an app: scheme, host and port must be equal, and the path must \
                begin with its path. By default every http and https address is allowed.
                """,
            valueName: "address"))
    var siteURLs: [String] = []

    @Flag(help: "Approve the consent page at once, without showing it.")
    var autoApprove = false

    func apply(to options: inout EmulatorOptions) throws {
        func life(_ name: String, _ text: String) throws -> Duration {
            try OptionText.duration(
                name, text, atLeast: .milliseconds(1), form: "of at least 1ms, such as 1s, 30m or 366d")
        }
        func delay(_ name: String, _ text: String) throws -> Duration {
            try OptionText.duration(name, text, form: "such as 50ms or 1.5s")
        }
        options.oauth.accessTokenLife = try life("--access-token-life", accessTokenLife)
        options.oauth.refreshTokenLife = try life("--refresh-token-life", refreshTokenLife)
        options.oauth.codeLife = try life("--code-life", codeLife)
        options.oauth.latency = try delay("--oauth-latency", oauthLatency)
        options.oauth.answerDelay = try delay("--oauth-answer-delay", oauthAnswerDelay)
        guard refreshTokenCap >= 0 else { throw ValidationError("--refresh-token-cap must not be negative") }
        options.oauth.refreshTokenCap = refreshTokenCap
        guard let skew = DurationText.signedDuration(clockSkew) else {
            throw ValidationError("--clock-skew must be a duration such as 1h or -90s")
        }
        options.oauth.clockSkew = skew
        options.oauth.faults = try oauthFaults.map { try OptionText.fault("--oauth-fault", $0, for: .oauth) }
        options.oauth.siteURLs = try siteURLs.map { address in
            guard let url = RedirectURI(address) else {
                throw ValidationError("--site-url \(address): expected an http or https address without a fragment")
            }
            return url
        }
        for family in withoutPermissions where !ShopAPI.families.contains(family) {
            throw ValidationError(
                "--without-permission \(family): the families are \(ShopAPI.families.sorted().joined(separator: ", "))")
        }
        options.withheldFamilies = Set(withoutPermissions)
        options.oauth.isAutoApproving = autoApprove
    }
}

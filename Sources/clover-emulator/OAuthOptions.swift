import ArgumentParser
import CloverEmulator

/// The options of `serve` about signing in.
struct OAuthOptions: ParsableArguments {
    @Option(help: ArgumentHelp("How long an access token is good.", valueName: "duration"))
    var accessTokenLife: String = "30m"

    @Option(help: ArgumentHelp("How long a refresh token is good.", valueName: "duration"))
    var refreshTokenLife: String = "366d"

    @Option(help: ArgumentHelp("How long a code can be exchanged for tokens.", valueName: "duration"))
    var codeLife: String = "60s"

    @Option(
        help: ArgumentHelp(
            "Number of refresh tokens good at a time, 0 for any number.",
            discussion: "One more makes the oldest of them bad.", valueName: "count"))
    var refreshTokenCap: Int = 0

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How far the clock of the tokens is ahead, such as 1h, or behind, such as -1h.",
            discussion: "The Date header of every answer follows it.", valueName: "duration"))
    var clockSkew: String = "0s"

    @Option(
        help: ArgumentHelp(
            "Pause before the work of a token call.",
            discussion: "A client that is gone by then has its work done all the same.", valueName: "duration"))
    var oauthLatency: String = "0ms"

    @Option(
        help: ArgumentHelp(
            "Pause between the work of a token call and its answer.", valueName: "duration"))
    var oauthAnswerDelay: String = "0ms"

    @Option(
        name: .customLong("oauth-fault"),
        help: ArgumentHelp("Spoil answers to token calls; can be given more than once.", valueName: "oauth-fault"))
    var oauthFaults: [String] = []

    @Option(
        name: .customLong("without-permission"),
        help: ArgumentHelp(
            "Answer 401 for these records, as for an app without the permission; can be given more than once.",
            discussion: """
                A family is the word after the merchant in a path, such as orders or employees, or 'merchant' for the \
                merchant itself. It holds for every token.
                """,
            valueName: "family"))
    var withoutPermissions: [String] = []

    @Option(
        name: .customLong("site-url"),
        help: ArgumentHelp(
            "Send browsers back to addresses below this one only, as Clover does; can be given more than once.",
            discussion: """
                It is the Site URL that an app's owner registers: scheme, host and port must be the same, and the path \
                must begin with its path. Without it every http and https address is taken.
                """,
            valueName: "address"))
    var siteURLs: [String] = []

    @Flag(help: "Say yes on the consent page at once, without showing it.")
    var autoApprove = false

    func validate() throws {
        for (name, text) in [
            ("--access-token-life", accessTokenLife), ("--refresh-token-life", refreshTokenLife),
            ("--code-life", codeLife),
        ] {
            guard let life = DurationText.duration(text), life.milliseconds > 0 else {
                throw ValidationError("\(name) must be a duration of at least 1ms, such as 1s, 30m or 366d")
            }
        }
        for (name, text) in [("--oauth-latency", oauthLatency), ("--oauth-answer-delay", oauthAnswerDelay)] {
            guard DurationText.duration(text) != nil else {
                throw ValidationError("\(name) must be a duration such as 50ms or 1.5s")
            }
        }
        guard refreshTokenCap >= 0 else { throw ValidationError("--refresh-token-cap must not be negative") }
        guard DurationText.signedDuration(clockSkew) != nil else {
            throw ValidationError("--clock-skew must be a duration such as 1h or -90s")
        }
        for fault in oauthFaults { _ = try Self.parse(fault) }
        for address in siteURLs where RedirectURI(address) == nil {
            throw ValidationError("--site-url \(address): an http or https address without a fragment is needed")
        }
        for family in withoutPermissions where !ShopAPI.families.contains(family) {
            throw ValidationError(
                "--without-permission \(family): the families are \(ShopAPI.families.sorted().joined(separator: ", "))")
        }
    }

    /// What the options say; only after `validate`.
    func settings() throws -> OAuthSettings {
        var settings = OAuthSettings()
        settings.accessTokenLife = DurationText.duration(accessTokenLife) ?? settings.accessTokenLife
        settings.refreshTokenLife = DurationText.duration(refreshTokenLife) ?? settings.refreshTokenLife
        settings.codeLife = DurationText.duration(codeLife) ?? settings.codeLife
        settings.refreshTokenCap = refreshTokenCap
        settings.clockSkew = DurationText.signedDuration(clockSkew) ?? .zero
        settings.latency = DurationText.duration(oauthLatency) ?? .zero
        settings.answerDelay = DurationText.duration(oauthAnswerDelay) ?? .zero
        settings.faults = try oauthFaults.map { try Self.parse($0) }
        settings.isAutoApproving = autoApprove
        settings.siteURLs = siteURLs.compactMap { RedirectURI($0) }
        return settings
    }

    private static func parse(_ text: String) throws -> FaultSpec {
        do {
            return try FaultSpec(parsing: text, for: .oauth)
        } catch {
            throw ValidationError("--oauth-fault \(text): \(error)")
        }
    }
}

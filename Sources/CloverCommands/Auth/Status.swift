import ArgumentParser
import CloverAuth
import CloverCore
import CloverJSON
import CloverOutput

extension Auth {
    /// `clover auth status`.
    struct Status: RecordCommand {
        static let configuration = CommandConfiguration(
            commandName: "status",
            abstract: "Show who is signed in",
            discussion: """
                Examples:
                  clover auth status
                  clover auth status --json | jq -r .merchant
                  clover auth status --check

                Exits with 0 if you are signed in, and with 77 if not; tokens in a keyring that is locked or missing do \
                not count. The service is asked only with --check. Clover gives the same response to a bad token and to \
                a missing permission, so --check tries six kinds of records; if one of them responds, the token is \
                valid. If none does, the tokens are renewed, once: if a new token opens nothing either, it lacks \
                permissions. For a token that cannot be renewed, the cause cannot be determined: the status is then 77, \
                and tokenAccepted is null.
                """
        )

        @Flag(name: .long, help: "Ask the service whether it accepts the token, and which permissions it has.")
        var check = false

        @OptionGroup(title: "What to print")
        var outputFile: OutputFileOptions

        @OptionGroup(title: "Connection")
        var connection: ConnectionOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            var status = try await SignInStatus.current(connection.choice, in: environment)
            var result: TokenCheck.Result?
            if check, status.isLoggedIn || status.isDead {
                result = try await TokenCheck.run(connection.choice, in: environment)
                // The check may have renewed the tokens.
                status = try await SignInStatus.current(connection.choice, in: environment)
                if let result { status = status.checked(result) }
            }
            if messages.json || !environment.terminal.isOutputTerminal {
                try await StandardOutput.print(StatusText.json(status, check: result).text + "\n", in: environment)
            } else {
                let times = try await DisplayedTimes.ofMachine(connection.choice, in: environment)
                try await StandardOutput.print(
                    StatusText.lines(status, check: result, times, in: environment), in: environment)
            }
            if case .noneChosen = status.reason {
                environment.diagnostics.notice(
                    "choose one with --profile, or with --merchant and --environment; or for all commands, run "
                        + "'clover auth switch'")
            }
            let left = status.isLoggedIn ? 0 : try await environment.signInsInFiles()
            if left > 0 { environment.diagnostics.notice(State.signInsLeft(left)) }
            return status.isLoggedIn ? 0 : ExitStatus.notAuthorized.rawValue
        }
    }
}

/// The state of a sign-in as JSON and as text for a person.
enum StatusText {
    /// One object; unknown values are null.
    static func json(_ status: SignInStatus, check: TokenCheck.Result? = nil) -> JSONLine {
        var line = JSONLine()
        line.add("profile", status.profile)
        line.add("environment", status.environment)
        line.add("merchant", status.key?.merchantID)
        line.add("app", status.key?.appID)
        line.add("employee", status.employeeID)
        line.add("loggedIn", status.isLoggedIn)
        line.add("kind", status.kind?.rawValue)
        line.add("source", status.source?.rawValue)
        line.add("current", status.isCurrent)
        line.add("accessTokenExpiresAt", status.accessTokenExpires.map { InstantText.utc(seconds: $0) })
        line.add("refreshTokenExpiresAt", status.refreshTokenExpires.map { InstantText.utc(seconds: $0) })
        line.add("refreshDue", status.isRefreshDue)
        line.add("renewable", status.isRenewable)
        line.add("reason", status.reason.map(words))
        if let check {
            line.add("tokenAccepted", isAccepted(check))
            line.add("permissions", check.allowed)
            line.add("permissionsMissing", check.refused)
        }
        return line
    }

    /// Lines of `name  value`, wrapped to the terminal's width.
    static func lines(
        _ status: SignInStatus, check: TokenCheck.Result?, _ times: DisplayedTimes, in environment: CommandEnvironment
    ) -> String {
        let isColored = environment.screen.isColored
        guard let key = status.key else {
            return FoldedText.lines(
                status.reason.map(words) ?? "not signed in", indent: 2, width: environment.terminal.width
            ).map { $0 + "\n" }.joined()
        }
        var rows = [("merchant", "\(key.merchantID) (\(key.environment))")]
        if let profile = status.profile { rows.insert(("profile", profile), at: 0) }
        if let appID = key.appID { rows.append(("app", appID)) }
        if let employee = status.employeeID { rows.append(("employee", employee)) }
        rows.append(("signed in", signedInWords(status)))
        rows.append(("token", tokenWords(status)))
        if let expires = status.accessTokenExpires {
            let due = status.isRefreshDue ? "; renewed by the next command" : ""
            rows.append(("access token until", times.text(seconds: expires) + due))
        }
        if let expires = status.refreshTokenExpires {
            rows.append(("refresh token until", times.text(seconds: expires)))
        }
        if let check {
            rows.append(("accepted by Clover", isAccepted(check).map { $0 ? "yes" : "no" } ?? "cannot be determined"))
            if !check.allowed.isEmpty { rows.append(("permissions", check.allowed.joined(separator: ", "))) }
            if !check.refused.isEmpty {
                rows.append(("permissions missing", check.refused.joined(separator: ", ")))
            }
        }
        let width = rows.map(\.0.count).max() ?? 0
        return rows.flatMap { name, value in
            let head = AlignedRows.padded(name, width) + "  "
            let room = environment.terminal.width.map { max(1, $0 - head.count) }
            let lines = FoldedText.lines(value, indent: 0, width: room)
            // Styles are applied line by line.
            return zip([head] + Array(repeating: AlignedRows.padded("", head.count), count: lines.count), lines)
                .map { $0 + (isColored ? colored($1, of: name, status) : $1) + "\n" }
        }.joined()
    }

    /// Whether the service accepts the token; nil if that cannot be determined.
    private static func isAccepted(_ check: TokenCheck.Result) -> Bool? {
        switch check.verdict {
        case .accepted, .withoutPermissions: true
        case .notAccepted: false
        case .unclear: nil
        }
    }

    private static func colored(_ value: String, of name: String, _ status: SignInStatus) -> String {
        switch name {
        case "signed in":
            (status.isLoggedIn ? (status.reason == nil ? TextStyle.good : .warning) : .bad).applied(to: value)
        case "accepted by Clover": (value == "yes" ? TextStyle.good : .bad).applied(to: value)
        case "permissions missing": TextStyle.warning.applied(to: value)
        default: value
        }
    }

    /// A table of sign-ins; `*` marks the one that commands use.
    static func table(_ statuses: [SignInStatus], _ times: DisplayedTimes, in environment: CommandEnvironment)
        -> TextPage
    {
        guard !statuses.isEmpty else { return TextPage("not signed in; to sign in: clover auth login\n") }
        let head = ["", "PROFILE", "MERCHANT", "ENVIRONMENT", "APP", "SIGNED IN", "TOKEN UNTIL"]
        let rows = statuses.map { status in
            [
                status.isCurrent ? "*" : "", status.profile ?? "", status.key?.merchantID ?? "",
                status.key?.environment ?? "", status.key?.appID ?? "", status.isLoggedIn ? "yes" : "no",
                status.accessTokenExpires.map { times.text(seconds: $0) } ?? "",
            ]
        }
        return AlignedRows.text(
            head: head, rows, key: 2,
            meanings: [
                "": .state, "PROFILE": .whole, "SIGNED IN": .state, "MERCHANT": .identifier, "APP": .identifier,
                "TOKEN UNTIL": .whole,
            ], in: environment)
    }

    private static func signedInWords(_ status: SignInStatus) -> String {
        guard let reason = status.reason else { return "yes" }
        guard status.isLoggedIn else { return "no: " + words(reason) }
        return switch reason {
        case .lastToken, .refreshTokenEnded, .withoutPermissions: "yes: " + words(reason)
        default: "yes, probably: " + words(reason)
        }
    }

    private static func tokenWords(_ status: SignInStatus) -> String {
        let kind =
            switch status.kind {
            case .oauth: "OAuth"
            case .legacy: "legacy OAuth, not renewed"
            case .staticToken, nil: "a merchant's own, not renewed"
            }
        return switch status.source {
        case .environment: "\(kind), from CLOVER_ACCESS_TOKEN"
        case .keyring: "\(kind), in the keyring"
        case .cache: "\(kind), in a private file"
        case nil: kind
        }
    }

    static func words(_ reason: SignInStatus.Reason) -> String {
        switch reason {
        case .notSignedIn: "not signed in"
        case .expired: "the access token has expired and cannot be renewed"
        case .endedByClock:
            "the access token and the refresh token have expired by this machine's clock; the next command still asks "
                + "the service for new ones; if it refuses, sign in again"
        case .refreshTokenEnded(let until):
            (until.map { "works until \(InstantText.utc(seconds: $0))" } ?? "works as long as Clover accepts it")
                + ", cannot be renewed: the refresh token has expired; sign in again"
        case .lastToken(let at, let until):
            (until.map { "works until \(InstantText.utc(seconds: $0))" } ?? "works as long as Clover accepts it")
                + ", cannot be renewed: the service refused that at \(InstantText.utc(milliseconds: at)); sign in again"
        case .notAccepted: "Clover accepts this token for nothing, and does not renew it; sign in again"
        case .unclear:
            "Clover accepts this token for nothing: either it is wrong, revoked, or for another merchant or "
                + "environment, or it has no permission at all; which of the two cannot be determined"
        case .withoutPermissions:
            "Clover issued this token and accepts it for nothing: the app has none of the permissions, which are set "
                + "in Clover's developer dashboard, and apply after the merchant has uninstalled and reinstalled the app"
        case .keyringUnusable(let error): "the tokens are in the keyring, which cannot be used now: \(error)"
        case .goneFromKeyring: "the tokens were removed from the keyring; sign in again"
        case .noneChosen(let names):
            "several sign-ins, and none is chosen: " + names.joined(separator: ", ")
        case .unsettled(let at):
            "a renewal was started at \(InstantText.utc(milliseconds: at)), and is in progress or was interrupted; the next "
                + "command settles it"
        case .refused(let at): "the service refused to renew the tokens at \(InstantText.utc(milliseconds: at))"
        case .dead(let at):
            "Clover no longer accepts this token, and refused to renew it at \(InstantText.utc(milliseconds: at)): it was "
                + "renewed elsewhere, or the app was uninstalled; sign in again"
        case .lost(let at):
            "the response with the new tokens was lost at \(InstantText.utc(milliseconds: at))"
        }
    }
}

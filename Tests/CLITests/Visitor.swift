import CloverTestSupport

/// What a browser does for a sign-in, where the consent page says yes by itself.
enum Visitor {
    /// Where an address redirects to; nil when it does not.
    static func redirect(of address: String) async throws -> String? {
        try await LoopbackPage.redirect(of: address)
    }

    /// The body of a page, whatever its status.
    static func page(_ address: String) async throws -> String { try await curl([address]).outputText }

    /// The status of a response to a request with this token.
    static func status(_ address: String, token: String) async throws -> String {
        let options = ["--output", "/dev/null", "--write-out", "%{http_code}", "--header"]
        return try await curl(options + ["Authorization: Bearer \(token)", address]).outputText
    }

    private static func curl(_ arguments: [String]) async throws -> CommandResult {
        let curl = CommandRunner(executable: "/usr/bin/curl", environment: [:])
        let result = try await curl.run(["--disable", "--silent", "--show-error", "--globoff"] + arguments)
        guard result.status == 0 else { throw CommandError.unreadable(result.description) }
        return result
    }
}

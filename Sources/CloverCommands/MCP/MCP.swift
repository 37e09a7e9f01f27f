import ArgumentParser
import CloverCore

struct MCP: EnvironmentCommand {
    static let configuration = CommandConfiguration(
        commandName: "mcp",
        abstract: "Let an assistant read the shop: a Model Context Protocol server",
        discussion: """
            Examples:
              clover mcp
              clover mcp --profile downtown --max-result-bytes 20000
              clover mcp --allow-writes

            Assistants start it and speak to it on standard input and output: one JSON-RPC message a line, by the \
            protocol of 2026-07-28 or those before it. 'docs/assistants.md' shows how to add it to one. Messages for \
            people go to standard error.

            The tools are get, report, reconcile, endpoints, schema and export_status. With --allow-writes also post, put \
            and delete. No tool takes, refunds or voids money, and PINs, card numbers, tokens and secrets are always \
            masked. All tools share the rate limit with other clover processes.

            A result says whether it is complete. If it is not, it says how to continue, or what is missing and why. The \
            server ends when its input ends.

            Exit statuses:
              0   the input has ended, and every request was answered
              64  wrong usage
              74  standard input or output failed
            """
    )

    @Flag(name: .customLong("allow-writes"), help: "Offer the tools post, put and delete, too.")
    var allowsWrites = false

    @Option(
        name: .customLong("max-result-bytes"), parsing: .unconditional,
        help: ArgumentHelp(
            "Maximum size of the records of a result; larger results are cut between records.",
            valueName: "count"))
    var limit = 60_000

    @OptionGroup(title: "Connection")
    var connection: ConnectionOptions

    @OptionGroup(title: "Messages")
    var log: LogFileOptions

    private static let limits = 1000...16_000_000

    func validate() throws {
        guard Self.limits.contains(limit) else {
            throw ValidationError(
                "--max-result-bytes takes a whole number from \(Self.limits.lowerBound) to \(Self.limits.upperBound), not \(limit)"
            )
        }
    }

    func run(in environment: CommandEnvironment) async throws -> Int32 {
        if environment.terminal.isInputTerminal {
            environment.diagnostics.notice(
                "waiting for an assistant's messages, one JSON object a line; to add clover to an assistant, see docs/assistants.md; to end: Ctrl-D"
            )
        }
        try await AssistantServer(
            allowsWrites: allowsWrites, connection: connection.words, limit: limit, in: environment
        ).run()
        return 0
    }
}

extension ConnectionOptions {
    /// The options as they were typed.
    fileprivate var words: [String] {
        [
            ("--profile", profile), ("--merchant", merchant), ("--environment", environment),
            ("--cacert", certificateFile),
        ].compactMap { name, value in value.map { "\(name)=\($0)" } }
    }
}

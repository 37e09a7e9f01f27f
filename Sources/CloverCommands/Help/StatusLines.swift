import ArgumentParser

/// Appends the exit statuses to a command's help, unless the command describes them itself under "Exit statuses:".
enum StatusLines {
    /// The statuses by command.
    private static let statuses: [String: [ExitStatus]] = [
        "auth receive": asking,
        "auth status": [.usage, .unavailable, .cannotCreate, .tryAgain, .nonsense, .notAuthorized, .configuration],
        "auth token": asking,
        "auth refresh": asking,
        "auth logout": [.usage, .unavailable, .cannotCreate, .tryAgain, .notAuthorized, .configuration, .partlyFailed],
        "auth list": [.usage, .badData, .inputOutput, .tryAgain, .configuration],
        "auth switch": [.usage, .cannotCreate, .inputOutput, .tryAgain, .notAuthorized, .configuration],
        "auth watch": [.usage, .cannotCreate, .inputOutput, .tryAgain, .notAuthorized, .configuration],
        "auth migrate": asking,
        "endpoints": [.usage, .badData, .inputOutput, .configuration],
        "schema": [.usage, .badData, .inputOutput, .configuration],
        "limits": [.usage, .badData, .inputOutput, .tryAgain, .notAuthorized, .configuration],
        "fleet": [.usage, .badData, .inputOutput, .tryAgain, .configuration],
        "doctor": [.usage, .inputOutput, .configuration],
        "whoami": [
            .usage, .notFound, .unavailable, .inputOutput, .tryAgain, .nonsense, .notAuthorized, .configuration,
        ],
        "open": [.usage, .inputOutput, .notAuthorized, .configuration],
        "alias set": [.usage, .cannotCreate, .inputOutput, .configuration],
        "alias list": [.usage, .badData, .inputOutput, .configuration],
        "alias delete": [.usage, .notFound, .cannotCreate, .inputOutput, .configuration],
        "version": [.usage, .inputOutput],
        "completion": [.usage, .inputOutput],
        "emulator": [.unclassified, .usage, .unavailable, .cannotCreate, .inputOutput, .configuration],
        "config get": [.usage, .notFound, .configuration],
        "config set": [.usage, .cannotCreate, .inputOutput, .configuration],
        "config unset": [.usage, .notFound, .cannotCreate, .inputOutput, .configuration],
        "config list": [.usage, .inputOutput, .configuration],
        "config keys": [.usage, .inputOutput],
        "config path": [.usage, .inputOutput, .configuration],
        "state init": [.usage, .unavailable, .cannotCreate, .tryAgain, .notAuthorized, .configuration],
        "state migrate": [.usage, .tryAgain, .configuration],
        "state move": [
            .usage, .unavailable, .cannotCreate, .inputOutput, .tryAgain, .notAuthorized, .configuration,
        ],
        "state check": [.usage, .unavailable, .inputOutput, .tryAgain, .notAuthorized, .configuration],
        "state key show": [.usage, .inputOutput, .tryAgain, .configuration],
        "state key create": keying,
        "state key rotate": keying,
        "state key move": keying,
        "state key remove": [
            .usage, .notFound, .unavailable, .cannotCreate, .tryAgain, .notAuthorized, .configuration,
        ],
        "reader scan": reader + [.notAuthorized, .configuration, .incomplete],
        "reader list": [.usage, .badData, .inputOutput, .configuration],
        "reader connect": reader + [.notAuthorized, .configuration, .incomplete],
        "reader watch": [.usage, .notFound, .inputOutput, .configuration],
        "reader disconnect": reader + [.configuration],
        "reader forget": reader + [.configuration],
        "reader driver-check": [.usage, .badData, .unavailable, .inputOutput, .configuration],
        "charge list": [.usage, .badData, .inputOutput, .configuration],
        "charge show": [.usage, .notFound, .unavailable, .tryAgain, .nonsense, .notAuthorized, .configuration],
        "charge capture": followUp,
        "charge void": followUp,
        "charge refund": followUp,
        "charge tip": followUp,
        "charge increment": followUp,
        "charge receipt": followUp,
        "charge card list": listing,
        "charge card replace": [
            .usage, .badData, .notFound, .unavailable, .inputOutput, .notAuthorized, .configuration, .outcomeUnknown,
        ],
        "charge card revoke": changing,
        "checkout list": [.usage, .badData, .inputOutput, .configuration],
        "plan list": listing,
        "plan show": looking,
        "plan change": changing,
        "plan delete": changing,
        "subscription list": listing,
        "subscription show": looking,
        "subscription change": changing,
        "subscription cancel": changing,
        "charge square errors": [.usage, .notFound, .inputOutput],
        "webhook trigger": [.usage, .notFound, .unavailable, .inputOutput, .notAuthorized, .configuration],
        "webhook list": [.usage, .inputOutput, .configuration],
        "webhook replay": [
            .usage, .notFound, .cannotCreate, .inputOutput, .tryAgain, .configuration, .partlyFailed,
        ],
        "webhook drop": [.usage, .notFound, .cannotCreate, .inputOutput, .configuration],
        "export schedule": [.usage, .cannotCreate, .inputOutput, .configuration],
    ]

    /// Statuses of commands that show and change what is at the service without the journal.
    private static let looking: [ExitStatus] = [
        .usage, .notFound, .unavailable, .inputOutput, .notAuthorized, .configuration,
    ]
    private static let listing: [ExitStatus] = [
        .usage, .badData, .notFound, .unavailable, .inputOutput, .notAuthorized, .configuration,
    ]
    private static let changing: [ExitStatus] = [
        .usage, .notFound, .unavailable, .inputOutput, .notAuthorized, .configuration, .outcomeUnknown,
    ]
    /// Statuses of commands that ask the service for tokens and store them.
    private static let asking: [ExitStatus] = [
        .usage, .unavailable, .cannotCreate, .inputOutput, .tryAgain, .nonsense, .notAuthorized, .configuration,
    ]
    /// Statuses of commands that make or move the key of a database.
    private static let keying: [ExitStatus] = [
        .usage, .unavailable, .cannotCreate, .tryAgain, .notAuthorized, .configuration,
    ]
    private static let reader: [ExitStatus] = [.usage, .badData, .notFound, .unavailable, .inputOutput, .tryAgain]
    private static let followUp: [ExitStatus] = [
        .usage, .notFound, .unavailable, .cannotCreate, .inputOutput, .tryAgain, .notAuthorized, .configuration,
        .incomplete, .outcomeUnknown, .declined,
    ]

    /// The lines to append to a help page; empty for other texts, and for pages that list the statuses themselves.
    /// - Parameters:
    ///   - page: the requested help.
    ///   - arguments: the command line, without the program's name.
    static func end(of page: String, _ arguments: [String]) -> String {
        guard page.contains("USAGE:"), !page.contains(title), let statuses = statuses[path(arguments)] else {
            return ""
        }
        let lines = ([.done] + statuses).map { status in
            let number = "\(status.rawValue)"
            return "  " + number + String(repeating: " ", count: 4 - number.count) + words(status)
        }
        return ([(page.hasSuffix("\n") ? "\n" : "\n\n") + title] + lines).joined(separator: "\n") + "\n"
    }

    private static let title = "Exit statuses:"

    /// The command whose help is requested; `help` may be before or after it.
    private static func path(_ arguments: [String]) -> String {
        var command: any ParsableCommand.Type = Clover.self
        var path: [String] = []
        for word in arguments where word != "help" {
            guard let next = command.configuration.subcommands.first(where: { $0._commandName == word }) else { break }
            command = next
            path.append(word)
        }
        return path.joined(separator: " ")
    }

    /// Short descriptions; those of `clover help exit-codes` are longer.
    private static func words(_ status: ExitStatus) -> String {
        switch status {
        case .done: "done"
        case .unclassified: "a command of the tour failed"
        case .usage: "wrong usage, or options that cannot be combined"
        case .badData: "invalid data, or the jq program failed"
        case .notFound: "not found"
        case .unavailable: "the service, or something else that is needed, cannot be reached"
        case .bug: "a bug in clover"
        case .cannotCreate: "a file or directory cannot be created"
        case .inputOutput: "reading or writing failed"
        case .tryAgain: "busy: try again later"
        case .nonsense: "the response is unusable, or was cut off"
        case .notAuthorized: "not signed in, or not allowed"
        case .configuration: "the configuration, or a stored file, cannot be used"
        case .incomplete: "only a part was done"
        case .outcomeUnknown: "outcome unknown, and money may have moved"
        case .declined: "declined or cancelled, and nothing moved"
        case .partlyFailed: "some failed; the others are done"
        case .timeRanOut: "--max-time ran out"
        }
    }
}

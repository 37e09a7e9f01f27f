import ArgumentParser
import CloverConfiguration
import CloverCore
import CloverExport
import CloverOutput

/// `clover follow`.
struct Follow: CloverCommand {
    static let configuration = CommandConfiguration(
        commandName: "follow",
        abstract: "Print the changes of a merchant's records as they happen, each once",
        discussion: """
            Examples:
              clover follow orders payments >>changes.ndjson
              clover follow orders --since yesterday --until-idle 5s
              clover follow items --exec './update-shelf' --print systemd

            Prints one JSON object a line for each change:

              {"change":"updated","resource":"orders","sequence":7,"record":{...}}

            "change" is created, updated or deleted; "record" is the record as it is now. A record that changed \
            several times between two readings comes once. The changes of a list are in the order of modification, \
            except for those that the service showed late. The first run starts now, or at --since; later runs \
            continue where the last one ended.

            How changes are found:
            A list with a time of change is asked for what changed since the last reading, less --overlap. Other \
            lists, such as refunds, credits and order_types, are read completely and compared, which also shows \
            deletions. Of lists with a time of change, only a complete reading (see --complete-every) and webhooks show \
            deletions. If 'clover webhook listen' receives webhooks with the same state directory, a list is read as \
            soon as one of its records changed, and deletions come at once, also those of a time when no feed ran. \
            Of payments, those older than 87 days are asked for every 15 minutes only, also by runs with --until-idle. \
            A list is read again after two seconds while it changes, and less and less often, up to --interval, while \
            it does not. Requests are bulk work: charges and other commands go first, and a reading of many pages is \
            repeated less often.

            What is guaranteed:
            Changes are stored before they are printed, and forgotten when they are written. So none is lost, and \
            after a kill or a power failure at most the last ones are printed again, with the same "sequence" and the \
            same bytes: a reader that ignores numbers it has seen gets each version once. Appended to a file \
            (>>FILE) without --jq, --format and --fields, nothing is repeated: clover reads what is in the file, and \
            completes a torn line. What a pipe holds counts as written. With --exec, a change is forgotten when \
            the command ended with 0.

            If it is not certain that no change was missed, because the state was lost, the clock was set back, or \
            nothing could be read for longer than the service's lists go back, or webhooks were dropped before they \
            were read, this is reported, and everything is read and compared again.

            --exec runs a shell command for each change instead of printing it, one at a time, with the line on its \
            standard input and CLOVER_CHANGE, CLOVER_CHANGE_RESOURCE, CLOVER_CHANGE_ID and CLOVER_CHANGE_SEQUENCE in \
            its environment. If it fails, it is run again for the same change, five times in all; then the run ends \
            with 75, and the next one begins with that change. A signal lets the command that runs end, and starts \
            no other; a second one ends the run at once, and leaves the command running.

            The service manager's notifications are supported: ready, status and watchdog (sd_notify(3)).

            Exit statuses:
              0   nothing changed for the time of --until-idle
              64  wrong usage: an unknown resource, a malformed time
              65  the jq program does not compile, or failed on changes
              69  the service is unreachable or failed, even after retries
              73  the state cannot be created, or has no room
              74  the changes cannot be written, or the state cannot be read
              75  another run uses the same state, or the command of --exec fails
              77  not signed in, or not allowed
              78  the state belongs to another merchant, or cannot be used
              79  incomplete: a list could not be read to its end
              83  --max-time ran out
            """
    )

    @Argument(
        help: ArgumentHelp("Resource to follow, such as orders or items.", valueName: "resource"),
        completion: .asked)
    var resources: [String] = []

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp(
            "Start of a new feed: yesterday, -2h, 2026-11-20T08:00Z (default: now).", valueName: "time"))
    var since: String?

    @Option(
        name: .customLong("until-idle"), parsing: .unconditional,
        help: ArgumentHelp(
            "End when nothing changed for this long: 30s; 0 ends when each list was read once.",
            valueName: "duration"))
    var untilIdle: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Nested objects to include, separated by commas.", valueName: "names"), completion: .asked)
    var expand: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Longest time between two readings of a list (default: 60s).", valueName: "duration"))
    var interval: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "How far before the last change a reading begins; at least 2s (default: 300s).", valueName: "duration"))
    var overlap: String?

    @Option(
        name: .customLong("complete-every"),
        help: ArgumentHelp(
            "Read each list completely this often, to find deletions: 6h, 1d.", valueName: "duration"))
    var completeEvery: String?

    @OptionGroup(title: "What to print")
    var jq: ProgramOptions

    @OptionGroup(title: "What to print")
    var format: FormatOptions

    @OptionGroup(title: "What to print")
    var sensitivity: SensitivityOptions

    @Option(
        name: .customLong("exec"), parsing: .unconditional,
        help: ArgumentHelp("Shell command to run for each change, instead of printing it.", valueName: "command"))
    var command: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "File with the state of the feed (default: one for the merchant in the state directory).",
            valueName: "file"), completion: .file())
    var state: String?

    @Option(
        name: .customLong("print"),
        help: ArgumentHelp("Print a unit that runs this command as a service, and send nothing.", valueName: "what"))
    var form: Form?

    @OptionGroup(title: "Limits")
    var limits: LimitOptions

    @OptionGroup(title: "Connection")
    var connection: ConnectionOptions

    @OptionGroup(title: "Messages")
    var messages: MessageOptions

    enum Form: String, CaseIterable, ExpressibleByArgument {
        case systemd
    }

    func validate() throws {
        guard !resources.isEmpty else { throw ValidationError("name what to follow, such as orders") }
        if let name = resources.first(where: { resource in resources.count { $0 == resource } > 1 }) {
            throw ValidationError("\(name) is named twice")
        }
        if let name = format.format, !name.isLineWise {
            throw ValidationError("--format takes \(RecordFormat.lineWiseNames) for a feed, not \(name.rawValue)")
        }
        if let option = jq.impliedBy { throw ValidationError("\(option) needs --jq or --from-file") }
        if command?.isEmpty == true { throw ValidationError("--exec needs a command") }
        if command != nil, jq.choice() != nil || format.format != nil || !format.fields.isEmpty {
            throw ValidationError("--exec and --jq, --format or --fields exclude each other: the command gets the line")
        }
        if let overlap, try NamedDuration.seconds(overlap, "--overlap") < 2 {
            throw ValidationError("--overlap takes 2s or more, not \(overlap)")
        }
        try OutputPath.check(state, of: "--state")
        if state?.hasSuffix("/") == true { throw ValidationError("--state takes a file, not a directory") }
    }

    func request(in environment: CommandEnvironment) async throws -> FollowRequest {
        var request = FollowRequest(resources: resources, connection: connection.choice)
        let settings = try await environment.settings(for: connection.choice)
        request.expand = expand.flatMap { $0.split(separator: ",").map(String.init) }
        request.since = since
        request.state = state
        request.idleTime = try untilIdle.map {
            try LongDuration.isZero($0) ? 0 : NamedDuration.seconds($0, "--until-idle")
        }
        if let interval { request.interval = try NamedDuration.seconds(interval, "--interval") }
        if let overlap { request.overlap = try NamedDuration.seconds(overlap, "--overlap") }
        request.completeEvery = try completeEvery.map { try LongDuration.seconds($0) }
        request.command = command
        try limits.apply(to: &request, settings)
        request.program = jq.choice()
        request.format = try format.choice(settings, isFormDecided: true)
        request.showsSensitive = try sensitivity.isShown(settings)
        return request
    }

    func run(in environment: CommandEnvironment) async throws -> Int32 {
        let request = try await request(in: environment)
        if form != nil {
            try await FollowUnit(request: request, environment: environment).print()
            return 0
        }
        return try await FollowRun(request, in: environment).run()
    }
}

import ArgumentParser
import CloverCore

extension Charge.Square {
    /// `clover charge square listen`.
    struct Listen: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "listen",
            abstract: "Wait for the answer of the Square app to a web callback",
            discussion: """
                Examples:
                  clover charge square listen --state table-9
                  clover charge square listen --state table-9 --bind 0.0.0.0 --port 8080
                  clover charge square listen --state table-9 \\
                    --callback-url https://cafe.example/paid

                Waits for the answer to one request, prints it as 'clover charge \
                square response' does, shows the browser that brought it a plain \
                page, and ends. Answers with another state are refused, also one \
                that the journal of charges has of an earlier payment, and \
                waiting goes on.

                Listens on \
                http://127.0.0.1:\(String(SquareListening.defaultPort))\(SquareListening.defaultPath). \
                Square calls https addresses only: something in between, such as \
                a web server or a tunnel, receives the request's callback URL \
                and passes it on to the listener; --callback-url says which URL \
                that is. What the SDK for apps makes of the path, with \
                /square_request behind it, is listened for too. With --bind \
                0.0.0.0 or :: an address of each network of this machine is \
                printed.

                Exit statuses:
                  0   paid
                  69  cannot listen there
                  75  no answer in time, or the port is in use
                  81  not paid
                """
        )

        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp("Take only the answer to the request with this state.", valueName: "text"))
        var state: String?

        @Option(
            name: .customLong("callback-url"),
            help: ArgumentHelp("The request's callback URL, when something passes it on.", valueName: "url"))
        var callbackURL: String?

        @Option(
            name: .long,
            help: ArgumentHelp("The address to listen on, as a number (default: 127.0.0.1).", valueName: "address"))
        var bind: String?

        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp(
                "The port to listen on (default: \(String(SquareListening.defaultPort))); 0 takes a free one.",
                valueName: "port"))
        var port: Int?

        @Option(
            name: .long,
            help: ArgumentHelp(
                "The path to listen for (default: \(SquareListening.defaultPath)).", valueName: "path"))
        var path: String?

        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp("Give up after so long (default: 15m).", valueName: "duration"))
        var timeout: String?

        @Flag(
            name: .customLong("check-marker"),
            help: "Add whether the URL has the mark of a request's callback: isSquareResponse.")
        var checkMarker = false

        @Flag(name: .customLong("no-journal"), help: "Leave the journal of charges as it is.")
        var noJournal = false

        @OptionGroup(title: "Rules")
        var rules: SquareRuleOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func validate() throws {
            if let port, !(0...65_535).contains(port) {
                throw ValidationError("--port takes a number from 0 to 65535, not \(port)")
            }
            if let path, !path.hasPrefix("/") || path.contains("?") || path.contains("#") {
                throw ValidationError("--path begins with a slash and has neither ? nor #")
            }
            if path != nil, callbackURL != nil {
                throw ValidationError("--path and --callback-url exclude each other: the URL has a path")
            }
        }

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let environment = messages.applied(to: environment)
            var listening = SquareListening(rules: rules.rules)
            listening.state = state
            listening.publicURL = callbackURL
            listening.checksMarker = checkMarker
            listening.settles = !noJournal
            if let bind { listening.bindAddress = bind }
            if let port { listening.port = port }
            if let path { listening.path = path }
            if let timeout { listening.timeout = try DurationExpression.seconds(timeout) }
            try await listening.run(in: environment)
            return 0
        }
    }
}

import ArgumentParser
import CloverCore

extension Charge.Square {
    /// `clover charge square listen`.
    struct Listen: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "listen",
            abstract: "Wait for the Square app's response to a web callback",
            discussion: """
                Examples:
                  clover charge square listen --state table-9
                  clover charge square listen --state table-9 --bind 0.0.0.0 --port 8080
                  clover charge square listen --state table-9 \\
                    --callback-url https://cafe.example/paid

                Waits for the response to one request, prints it as 'clover charge square response' does, shows a \
                plain page to the browser that brought it, and exits. A response with another state is refused, and so \
                is one that the journal of charges has for an earlier payment; the command keeps waiting.

                Listens on http://127.0.0.1:\(String(SquareResponseListener.defaultPort))\(SquareResponseListener.defaultPath). \
                Square calls https addresses only, so something in between, such as a web server or a tunnel, must \
                receive the request's callback URL and forward it to the listener; --callback-url names that URL. The path that Square's SDK for apps makes of it, with /square_request appended, is listened for \
                too. With --bind 0.0.0.0 or ::, an address on each network of this machine is printed.

                Exit statuses:
                  0   paid
                  69  cannot listen there
                  75  no response in time, or the port is in use
                  80  unknown, or paid without an open request
                  81  not paid
                """
        )

        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp("Accept only the response to the request with this state.", valueName: "text"))
        var state: String?

        @Option(
            name: .customLong("callback-url"),
            help: ArgumentHelp("Callback URL of the request, if it is forwarded.", valueName: "url"))
        var callbackURL: String?

        @Option(
            name: .long,
            help: ArgumentHelp("Numeric address to listen on (default: 127.0.0.1).", valueName: "address"))
        var bind: String?

        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp(
                "Port to listen on (default: \(String(SquareResponseListener.defaultPort))); 0 takes a free one.",
                valueName: "port"))
        var port: Int?

        @Option(
            name: .long,
            help: ArgumentHelp(
                "Path to listen for (default: \(SquareResponseListener.defaultPath)).", valueName: "path"))
        var path: String?

        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp("Maximum time to wait (default: 15m).", valueName: "duration"))
        var timeout: String?

        @Flag(
            name: .customLong("check-marker"),
            help: "Add whether the URL has the marker of a request's callback, as isSquareResponse.")
        var checkMarker = false

        @Flag(name: .customLong("no-journal"), help: "Do not change the journal of charges.")
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
            var listening = SquareResponseListener(rules: rules.rules)
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

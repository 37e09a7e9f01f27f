import ArgumentParser
import CloverAuth
import CloverCallback
import CloverCore
import CloverSquare
import Glibc

extension Charge.Square {
    /// `clover charge square listen`.
    struct Listen: CloverCommand {
        /// Different from the port of `auth login`, so that both can run at once.
        private static let defaultPort = 8977
        private static let defaultPath = "/square"
        /// Seconds.
        private static let defaultTimeout = 900.0

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

                Listens on http://127.0.0.1:\(String(Self.defaultPort))\(Self.defaultPath). \
                Square calls https addresses only, so something in between, such as a web server or a tunnel, must \
                receive the request's callback URL and forward it to the listener; --callback-url names that URL. The path that Square's SDK for apps makes of it, with /square_request appended, is listened for \
                too. With --bind 0.0.0.0 or ::, an address on each network of this machine is printed.

                Exit statuses:
                  0   paid
                  69  cannot listen there
                  75  no response in time, or the port is in use
                  80  unknown, not recorded, or matched with no single open request
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
                "Port to listen on (default: \(String(Self.defaultPort))); 0 takes a free one.",
                valueName: "port"))
        var port: Int?

        @Option(
            name: .long,
            help: ArgumentHelp(
                "Path to listen for (default: \(Self.defaultPath)).", valueName: "path"))
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
        var rules: SquareRules

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

        /// The numeric IP address to bind.
        private var bindAddress: String { bind ?? "127.0.0.1" }

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let timeout = try timeout.map { try DurationExpression.seconds($0) } ?? Self.defaultTimeout
            let choice = try choice(in: environment)
            let listener: CallbackListener
            do {
                listener = try await environment.openCallbackListener(choice)
            } catch let error as CallbackError {
                throw SquareError.cannotListen(address: bindAddress, error)
            }
            do {
                let error = try await wait(for: listener, timeout, in: environment)
                await listener.close()
                if let error { throw error }
            } catch {
                await listener.close()
                throw error
            }
            return 0
        }

        /// - Returns: the error of the response; nil for a payment.
        private func wait(
            for listener: CallbackListener, _ timeout: Double, in environment: CommandEnvironment
        ) async throws -> SquareError? {
            let diagnostics = environment.diagnostics
            let addresses = listener.callableURIs
            let place = addresses.count == 1 ? "this address" : "these addresses"
            diagnostics.notice("waiting for the Square app's response at \(place) (to cancel, press Ctrl-C):")
            if diagnostics.level >= .normal { addresses.forEach(diagnostics.address) }
            if callbackURL != nil {
                diagnostics.notice("the server there must forward it to port \(listener.port) of \(bindAddress)")
            }
            if checkMarker, let notice = rules.markNotice { diagnostics.notice(notice) }
            if state == nil { diagnostics.notice("without --state, any response is accepted") }
            let callback = try await TimeLimit.run(
                seconds: timeout, sleep: environment.sleep, timeRanOut: { SquareError.noAnswer(seconds: timeout) },
            ) { try await listener.callback() }
            let result = rules.outcome(of: callback.url)
            let line = SquareOutputLine.response(
                url: callback.url, result,
                isSquareResponse: checkMarker ? rules.mark(of: callback.url) : nil)
            var settlement = SquareSettlement(isOn: !noJournal, in: environment)
            let verdicts = await settlement.settle(by: [result], expected: state)
            try await SquareLine.print(line, in: environment)
            for verdict in verdicts { settlement.tell(verdict) }
            let error = SquareResponseSummary.error(of: result, verdicts.first ?? nil)
            await callback.answer(Self.page(error))
            return error
        }

        private static func page(_ error: SquareError?) -> ResultPage {
            switch error {
            case nil: .payment(isDone: true, headline: "Paid", detail: "The payment is complete. Thank you.")
            case .notPaid(let error):
                .payment(
                    isDone: false, headline: "Not paid",
                    detail: "There was no payment: \(error.message).")
            case .outcomeUnknown(let error):
                .payment(
                    isDone: false, headline: "Not confirmed",
                    detail: "It is not certain whether the payment was made: \(error.message).")
            case .paidBefore:
                .payment(
                    isDone: false, headline: "Not confirmed",
                    detail: "This response says that nothing was paid, but the request was already settled as paid.")
            case .unmatched:
                .payment(
                    isDone: false, headline: "Not confirmed",
                    detail: "The Square app reports a payment that cannot be matched with one open request.")
            case .unrecorded:
                .payment(
                    isDone: false, headline: "Not confirmed",
                    detail: "The Square app reports a payment, which could not be recorded.")
            default:
                .payment(
                    isDone: false, headline: "Not readable", detail: "The response of the Square app cannot be read.")
            }
        }

        /// The listener's options.
        private func choice(in environment: CommandEnvironment) throws(SquareError) -> CallbackOptions {
            guard Self.isAddress(bindAddress) else { throw .malformedAddress(bindAddress) }
            var choice = CallbackOptions(port: port ?? Self.defaultPort, path: path ?? Self.defaultPath)
            if let callbackURL {
                guard let parts = Self.parts(of: callbackURL) else { throw .malformedPublicURL(callbackURL) }
                choice.publicOrigin = parts.origin
                choice.path = parts.path
            }
            // The path that the SDK makes of this callback URL, for an app on iOS.
            choice.otherPaths = [CallbackMarker.marked(path: choice.path)]
            choice.bindAddress = bindAddress
            choice.purpose = .payment
            let diagnostics = environment.diagnostics
            let settlement = SquareSettlement(isOn: !noJournal, in: environment)
            let start = environment.clock.wall()
            choice.isExpected = { [rules, state] url in
                let result = rules.outcome(of: url)
                var refusal = Self.refusal(of: result, state: state)
                // Reloading the page of an earlier payment sends its response again.
                if refusal == nil, let id = await settlement.handOff(paidBy: result, before: start) {
                    refusal = "a repeated response to \(id)"
                }
                if let refusal { diagnostics.notice("refused \(refusal)") }
                return refusal == nil
            }
            choice.onSecond = { diagnostics.notice("refused a second response") }
            return choice
        }

        /// What is wrong with a response that is not the expected one; nil if it is.
        private static func refusal(of result: Result<any SquareOutcome, SquareFailure>, state: String?) -> String? {
            switch result {
            case .failure(let failure): return "a request that is not a response of the app (\(failure.name))"
            case .success(let outcome):
                guard let state, outcome.state != SquareText(state) else { return nil }
                // The app on Android returns no state if it has no result at all.
                if outcome.state == nil, outcome.reportedError?.name == "ERROR_NO_RESULT" { return nil }
                return outcome.state == nil ? "a response without a state" : "a response with another state"
            }
        }

        /// Splits an http or https URL into its origin (scheme, host and port) and its path.
        private static func parts(of url: String) -> (origin: String, path: String)? {
            guard let mark = url.firstRange(of: "://"),
                ["http", "https"].contains(url[..<mark.lowerBound].lowercased())
            else { return nil }
            let end = url[mark.upperBound...].firstIndex { "/?#".contains($0) } ?? url.endIndex
            guard end > mark.upperBound, !url[mark.upperBound..<end].contains("@") else { return nil }
            let path = url[end...].prefix { $0 != "?" && $0 != "#" }
            return (String(url[..<end]), path.isEmpty ? "/" : String(path))
        }

        private static func isAddress(_ text: String) -> Bool {
            var storage = in6_addr()
            return inet_pton(AF_INET, text, &storage) == 1 || inet_pton(AF_INET6, text, &storage) == 1
        }
    }
}

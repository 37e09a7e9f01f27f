import ArgumentParser
import CloverAuth
import CloverCore
import CloverHTTP
import CloverSystem
import CloverWebhooks
import Glibc
import Synchronization

extension Webhook {
    /// `clover webhook listen`.
    struct Listen: CloverCommand {
        /// Different from the ports of `auth login` and `charge square listen`, so that all can run at once.
        private static let defaultPort = 8978
        /// Time in seconds for which events are collected before their records are read.
        private static let fetchPause = 0.3

        static let configuration = CommandConfiguration(
            commandName: "listen",
            abstract: "Receive webhooks and print their events",
            discussion: """
                Examples:
                  clover webhook listen --auth-code-file secret.txt
                  clover webhook listen --forward-to http://127.0.0.1:5000/webhook
                  clover webhook listen --exec 'cat >>events.ndjson'

                Prints one line for each event, as 'clover webhook parse' does, with the time when it was received. \
                Clover sends webhooks to a public https address only: let a tunnel or a reverse proxy receive them and \
                pass them to http://127.0.0.1:\(String(Self.defaultPort)). Any path is accepted. Without one, \
                --tls-cert and --tls-key serve https with a certificate of your own, which is read when the listener \
                starts; --bind 0.0.0.0 and --port 443 make it public.

                To set up a webhook, enter the public address in the developer dashboard. Clover sends a code, which \
                is printed, for you to paste there. The dashboard then shows the Clover Auth Code: stop the listener, \
                and start it again with that code. Requests without it get the response 401. Webhooks of Hosted \
                Checkout are accepted only if they have a valid signature, which needs --secret-file.

                A request is answered with 200 only when its events are on disk, in the state directory. If the \
                listener is killed, the next one prints what was not printed yet; an event may be printed twice, and \
                Clover itself may send one twice. If the disk is full, the response is 503, so that Clover can send \
                the webhook again.

                --fetch reads each record as it is now and adds it to its line as record, which is null if the record, \
                or the webhook, says that it was deleted. Several events of one record that arrive together are printed as one: the latest, or CREATE if one of \
                them says so and the record was not deleted. Events \
                of merchants that are not signed in, of kinds that cannot be read, and those whose record could not be \
                read, which stderr says, have no member record. The requests count toward the limits that all commands \
                share, and give way to other commands.

                --forward-to sends each body on, with its header; a status from 200 to 299 means that it was \
                received, which the handler has 30 seconds for. --exec runs a command for each event, one at a time, with the event as JSON on its standard \
                input and in CLOVER_EVENT (its type), CLOVER_EVENT_MERCHANT, CLOVER_EVENT_KIND, CLOVER_EVENT_ID and \
                CLOVER_EVENT_PATH; its output goes to standard error. A command that fails is run again, and so is a \
                handler asked that does not respond, or says that it cannot for now (408, 429, 500 and the like); another status is its answer. \
                The events that follow are printed meanwhile, and wait. What fails is kept, and so is what was received for a target that the listener was started \
                without later: see 'clover webhook list' and 'clover webhook replay'. A signal lets the command that \
                runs end, and starts no other; a second one ends the listener at once, and leaves the command running.

                Exit statuses:
                  0   not used: a signal ends the listener
                  64  wrong usage
                  69  cannot listen there, or libssl is missing
                  73  the state directory has no room for the events
                  74  the events cannot be printed; or the file with the code, the
                      certificate or its key, or a file of the state, cannot be read
                  75  the port is in use
                  78  another process already receives webhooks with this state
                      directory, the certificate and its key cannot be used, or one
                      of clover's files cannot be used
                """
        )

        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp(
                "Port to listen on (default: \(String(Self.defaultPort))); 0 takes a free one.", valueName: "port"))
        var port: Int?

        @Option(
            name: .long,
            help: ArgumentHelp("Numeric address to listen on (default: 127.0.0.1).", valueName: "address"))
        var bind: String?

        @Option(
            name: .customLong("tls-cert"), parsing: .unconditional,
            help: ArgumentHelp(
                "Serve https with this certificate, in PEM, followed by its intermediate ones.", valueName: "file"),
            completion: .file())
        var certificateFile: String?

        @Option(
            name: .customLong("tls-key"), parsing: .unconditional,
            help: ArgumentHelp("File with the certificate's key, in PEM, that only you can read.", valueName: "file"),
            completion: .file())
        var keyFile: String?

        @OptionGroup
        var delivery: WebhookDeliveryOptions

        @Option(
            name: .customLong("secret-file"), parsing: .unconditional,
            help: ArgumentHelp(
                "File with the signing secret of Hosted Checkout (or in CLOVER_WEBHOOK_SECRET).", valueName: "file"),
            completion: .file())
        var secretFile: String?

        @Option(
            parsing: .unconditional,
            help: ArgumentHelp(
                "Greatest age of a signature, and distance in the future (default: 5m).", valueName: "duration"))
        var tolerance: String?

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func validate() throws {
            if let port, !(0...65_535).contains(port) {
                throw ValidationError("--port takes a number from 0 to 65535, not \(port)")
            }
            if (certificateFile == nil) != (keyFile == nil) {
                throw ValidationError("--tls-cert and --tls-key need each other")
            }
        }

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let tolerance = try tolerance.map { try NamedDuration.seconds($0, "--tolerance") }
            let gate = WebhookGate(
                authCode: try await WebhookSecret.authCode.read(file: delivery.authCodeFile, in: environment),
                signingSecret: try await WebhookSecret.signing.read(file: secretFile, in: environment),
                tolerance: tolerance ?? WebhookSignature.defaultTolerance)
            let tls = try await tls(in: environment)
            let printer = WebhookPrinter(isJSON: messages.json, in: environment)
            let targets = try await delivery.targets(printer, authCode: gate.authCode, in: environment)
            let directory = try environment.stateDirectory()
            let lock = try WebhookSpoolLock(for: .listening, directory: directory)
            defer { withExtendedLifetime(lock) {} }
            let spool = try await DedicatedThread.run { try WebhookSpool(directory: directory) }
            let deliverer = WebhookDeliverer(
                spool, targets, onFailure: { WebhookFailureText.report($0, in: environment) },
                onFull: {
                    environment.diagnostics.warning(
                        "there is no room to note what was delivered; waiting until the state directory has some")
                })
            let inbox = Inbox()
            let refusals = RefusalCounter(directory: directory.path)
            let listener = try await open(
                gate, tls, WebhookSpoolWriter(spool, onStored: inbox.wake), targets.goals, inbox, refusals,
                in: environment)
            do {
                if delivery.forwards(to: listener.port, at: bind) { throw WebhookFault.forwardsToItself(listener.port) }
                announce(listener, gate, in: environment)
                // What an earlier run received and did not deliver.
                inbox.wake()
                try await withThrowingTaskGroup(of: Void.self) { group in
                    let printed = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
                    group.addTask {
                        for await _ in inbox.signals {
                            // Events of one record often follow each other within a moment.
                            if delivery.fetch { try await environment.sleep(Self.fetchPause) }
                            try inbox.check()
                            try await inbox.showCodes { try await printer.print(.verification(code: $0)) }
                            try await deliverer.printWaiting()
                            printed.continuation.yield()
                        }
                        printed.continuation.finish()
                    }
                    group.addTask {
                        for await _ in printed.stream { try await deliverer.deliverPrinted() }
                    }
                    // The first error ends both.
                    while try await group.next() != nil {}
                }
            } catch {
                inbox.close()
                await listener.close()
                throw error
            }
            inbox.close()
            await listener.close()
            if let text = refusals.summary { environment.diagnostics.notice(text) }
            try Task.checkCancellation()
            return 0
        }

        private func open(
            _ gate: WebhookGate, _ tls: WebhookTLS?, _ writer: WebhookSpoolWriter, _ goals: WebhookGoals,
            _ inbox: Inbox, _ refusals: RefusalCounter, in environment: CommandEnvironment
        ) async throws -> WebhookListener {
            let port = port ?? Self.defaultPort
            let address = bind ?? "127.0.0.1"
            let clock = environment.clock
            var options = WebhookListener.Options(
                port: port, bindAddress: address, gate: gate, now: clock.wall,
                store: { arrival in
                    var arrival = arrival
                    arrival.goals = goals
                    do {
                        try await writer.store(arrival)
                    } catch let error as WebhookSpoolError {
                        inbox.fail(error)
                        throw error
                    }
                }, onVerification: inbox.show,
                onRefusal: { refusal in
                    guard let text = refusals.note(refusal) else { return }
                    environment.diagnostics.warning(text)
                })
            options.tls = tls
            do {
                return try await WebhookListener.open(options)
            } catch {
                throw WebhookFault.cannotListen(error, address: address, port: port)
            }
        }

        /// The certificate and its key; nil without the options.
        private func tls(in environment: CommandEnvironment) async throws -> WebhookTLS? {
            guard let certificateFile, let keyFile else { return nil }
            for file in [certificateFile, keyFile] where access(file, R_OK) != 0 {
                throw WebhookFault.unreadableFile(file, errno: errno)
            }
            if let mode = SecretFile.looseMode(of: keyFile) { throw WebhookFault.looseKey(keyFile, mode: mode) }
            do {
                let tls = try await DedicatedThread.run { () throws(WebhookTLSError) in
                    try WebhookTLS(certificate: certificateFile, key: keyFile)
                }
                if tls.expiry <= environment.clock.wall() / 1000 {
                    environment.diagnostics.notice(
                        "the certificate in \(certificateFile) expired at \(InstantText.utc(seconds: tls.expiry)); "
                            + "senders refuse it, so renew it and start the listener again")
                }
                return tls
            } catch {
                throw WebhookFault.tls(error, certificate: certificateFile, key: keyFile)
            }
        }

        private func announce(_ listener: WebhookListener, _ gate: WebhookGate, in environment: CommandEnvironment) {
            let diagnostics = environment.diagnostics
            diagnostics.notice("listening for webhooks at this address (to stop, press Ctrl-C):")
            let host = (bind ?? "127.0.0.1").contains(":") ? "[\(bind ?? "")]" : bind ?? "127.0.0.1"
            let scheme = keyFile == nil ? "http" : "https"
            if diagnostics.level >= .normal { diagnostics.address("\(scheme)://\(host):\(listener.port)") }
            guard gate.authCode == nil else { return }
            diagnostics.notice(
                "there is no auth code, so only the set-up of a webhook "
                    + (gate.signingSecret == nil ? "is" : "and signed ones are")
                    + " accepted; to receive an app's events, add --auth-code-file FILE or set CLOVER_WEBHOOK_AUTH_CODE"
            )
        }
    }
}

/// What the listener passes to the task that prints.
private final class Inbox: Sendable {
    private struct Code {
        let text: String
        let isShown: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var codes: [Code] = []
        var isClosed = false
        var failure: WebhookSpoolError?
    }

    /// A code was not printed.
    private struct NotShown: Error {}

    /// One signal for any number of changes.
    let signals: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    private let state = Mutex(State())

    /// Anyone can send a code; a user needs the last one.
    private static let maximumCodes = 16

    init() {
        (signals, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    @Sendable func wake() { continuation.yield() }

    /// Ends the listener with an error.
    func fail(_ error: WebhookSpoolError) {
        state.withLock { $0.failure = error }
        wake()
    }

    /// - Throws: the error of ``fail(_:)``.
    func check() throws {
        if let error = state.withLock(\.failure) { throw error }
    }

    /// Returns when the code was printed.
    @Sendable func show(_ code: String) async throws {
        let isShown = await withCheckedContinuation { waiting in
            let refused = state.withLock { state -> CheckedContinuation<Bool, Never>? in
                if state.isClosed { return waiting }
                let oldest = state.codes.count == Self.maximumCodes ? state.codes.removeFirst() : nil
                state.codes.append(Code(text: code, isShown: waiting))
                return oldest?.isShown
            }
            refused?.resume(returning: false)
            wake()
        }
        if !isShown { throw NotShown() }
    }

    func showCodes(_ print: (String) async throws -> Void) async throws {
        while let code = state.withLock({ $0.codes.isEmpty ? nil : $0.codes.removeFirst() }) {
            do {
                try await print(code.text)
            } catch {
                code.isShown.resume(returning: false)
                throw error
            }
            code.isShown.resume(returning: true)
        }
    }

    /// Nothing is printed any more.
    func close() {
        let codes = state.withLock { state in
            defer { state = State(isClosed: true) }
            return state.codes
        }
        for code in codes { code.isShown.resume(returning: false) }
    }
}

/// Counts refused requests, and reports the first for each reason: a stranger could send many.
private final class RefusalCounter: Sendable {
    private struct State {
        var counts: [Int: Int] = [:]
        /// The texts that were reported.
        var reported: Set<String> = []
    }

    private let state = Mutex(State())
    /// The path of the directory that holds the events.
    private let directory: String

    init(directory: String) {
        self.directory = directory
    }

    /// What to report; nil for all but the first with a reason.
    func note(_ refusal: WebhookRefusal) -> String? {
        let reason =
            switch refusal {
            case .badBody(let error): "\(error)"
            case .badSignature: refusal.text + ": check --secret-file, and both clocks"
            case .noSigningSecret:
                "a webhook of Hosted Checkout cannot be verified without the signing secret: start the listener again "
                    + "with --secret-file FILE or CLOVER_WEBHOOK_SECRET"
            case .notStored(isFull: true):
                "there is no room for it: free some space in \(directory), a few MB, or set CLOVER_STATE_DIR"
            default: refusal.text
            }
        // A body that cannot be read has a reason with details, which a sender could invent without end.
        let kind = if case .badBody = refusal { refusal.text } else { reason }
        let isFirst = state.withLock { state in
            state.counts[refusal.status, default: 0] += 1
            return state.reported.insert(kind).inserted
        }
        guard isFirst else { return nil }
        return "refused a request with status \(refusal.status): \(reason); more of them are only counted"
    }

    /// The counts; nil if nothing was refused.
    var summary: String? {
        let counts = state.withLock(\.counts)
        guard !counts.isEmpty else { return nil }
        let parts = counts.sorted { $0.key < $1.key }.map { "\($0.value) with status \($0.key)" }
        return "requests refused: " + parts.joined(separator: ", ")
    }
}

/// Deliveries that failed, as text for a person.
enum WebhookFailureText {
    static func report(_ delivery: WebhookDelivery, in environment: CommandEnvironment) {
        environment.diagnostics.failure(
            "delivery \(delivery.number) failed, and is kept for 'clover webhook replay': \(delivery.failure ?? "")",
            code: "delivery_failed",
            status: ExitStatus.partlyFailed.rawValue)
    }
}

/// Tests a driver program against the protocol, step by step, and stops at the first fault.
package struct DriverCheck: Sendable {
    /// The result of a step.
    package enum Outcome: Sendable, Equatable {
        /// The step passed; with a detail.
        case passed(String)
        /// The step was not run, with the reason.
        case skipped(String)
        case failed(ReaderError)
    }

    /// The result of the whole check.
    package enum Verdict: Sendable, Equatable {
        case conforms
        /// A step failed.
        case fails(ReaderError)
        /// No reader was found, so some steps could not be run.
        case incomplete
    }

    private let command: DriverCommand
    private let variables: [String: String]
    private let limits: DriverLimits
    private let onErrorLine: @Sendable (String) -> Void

    /// For the parameters, see `ExternalDriver`.
    package init(
        _ command: DriverCommand, variables: [String: String], limits: DriverLimits = DriverLimits(),
        onErrorLine: @escaping @Sendable (String) -> Void
    ) {
        self.command = command
        self.variables = variables
        self.limits = limits
        self.onErrorLine = onErrorLine
    }

    /// An ID that no reader has.
    private static let unknownID = "no-such-reader"
    /// Maximum number of readers to try: some may need an update with too low a battery for it.
    private static let maximumReaders = 5

    /// Runs the steps, and reports each one when it is done.
    package func run(
        onStep: @escaping @Sendable (String, Outcome) async throws -> Void
    ) async throws -> Verdict {
        let steps = DriverCheckReporter(onStep)
        do {
            steps.begin("hello")
            let (conversation, hello) = try await DriverConversation.open(
                command, variables: variables, limits: limits, onErrorLine: onErrorLine)
            let capabilities = Set(hello.capabilities ?? [])
            try await steps.pass(Self.summary(of: hello))
            var hasSeenReader = true
            do {
                hasSeenReader = try await converse(conversation, capabilities, steps)
            } catch {
                await conversation.close()
                throw error
            }
            steps.begin("end of input")
            try checkEnd(await conversation.close(), of: conversation)
            try await steps.pass("exits on its own")
            if capabilities.contains(DriverConversation.scanning) {
                steps.begin("end of input in a scan")
                try await endWhileScanning()
                try await steps.pass("exits on its own")
            }
            return hasSeenReader ? .conforms : .incomplete
        } catch let error as ReaderError {
            try await steps.end(.failed(error))
            return .fails(error)
        }
    }

    /// Starts the program, completes the handshake and ends the program.
    ///
    /// - Returns: what the program reports: its name, version and capabilities.
    /// - Throws: `ReaderError.driver`, `CancellationError`; the program has ended by then.
    package func greeting() async throws -> String {
        let (conversation, hello) = try await DriverConversation.open(
            command, variables: variables, limits: limits, onErrorLine: onErrorLine)
        await conversation.close()
        return Self.summary(of: hello)
    }

    private static func summary(of hello: DriverResult) -> String {
        let name = [hello.driver, hello.driverVersion].compactMap(\.self).joined(separator: " ")
        return "\(name), can \(Set(hello.capabilities ?? []).sorted().joined(separator: ", "))"
    }

    /// Runs every step between the handshake and the end. Returns false if a reader is needed but none was found.
    private func converse(
        _ conversation: DriverConversation, _ capabilities: Set<String>,
        _ steps: DriverCheckReporter
    ) async throws -> Bool {
        steps.begin("ping")
        _ = try await conversation.result(.ping)
        try await steps.pass("gets a response")
        steps.begin("unknown request")
        try await expectRefusal(conversation, DriverRequest(request: "noSuchRequest"), code: "unknown_request")
        try await steps.pass("is refused")
        if capabilities.contains(DriverConversation.charging) {
            steps.begin("payment")
            let isProof = try await lookUpMissingPayment(conversation, capabilities)
            try await steps.pass(
                "a payment that was never made is not found"
                    + (isProof
                        ? "" : "; without the capability 'recall', 'charge recover' does not accept that as proof"))
            steps.begin("charge without a reader")
            try await expectRefusal(conversation, .charge(Self.charge), code: "reader_not_ready")
            try await steps.pass("is refused")
        }
        var found: [Reader] = []
        if capabilities.contains(DriverConversation.scanning) {
            steps.begin("scan")
            found = try await scan(conversation)
            try await steps.pass(found.isEmpty ? "no reader found" : "found \(found[0].label)")
            steps.begin("stopScan")
            try await stopScan(conversation)
            try await steps.pass("no reader is reported afterwards")
        }
        guard capabilities.contains(DriverConversation.connecting) else { return true }
        steps.begin("connect to an unknown reader")
        try await expectRefusal(conversation, .connect(Self.unknownID, timeout: limits.answer), code: "not_found")
        try await steps.pass("is refused")
        steps.begin("connect")
        guard !found.isEmpty else {
            try await steps.end(.skipped("no reader found"))
            return false
        }
        return try await connect(conversation, found, capabilities, steps)
    }

    private static let charge = CardCharge(
        idempotencyKey: "driver-check", externalPaymentID: "driver-check-never-made", amount: 100, currency: "USD",
        isFinal: true, capture: true)

    private func expectRefusal(_ conversation: DriverConversation, _ request: DriverRequest, code: String) async throws
    {
        let response = try await conversation.ask(request)
        guard let refusal = response.error else {
            throw conversation.failed(
                .violation(rule: "'\(request.request)' must be refused here, with the code '\(code)'"))
        }
        guard refusal.code == code else {
            throw conversation.failed(
                .violation(
                    rule: "'\(request.request)' must be refused here with the code '\(code)', not '\(refusal.code)'"))
        }
    }

    /// Looks up a payment that was never made. Returns whether the driver's response that there is none is proof.
    private func lookUpMissingPayment(
        _ conversation: DriverConversation, _ capabilities: Set<String>
    ) async throws -> Bool {
        let externalID = Self.charge.externalPaymentID
        let result = try await conversation.result(.payment(externalID: externalID))
        do throws(DriverFailure) {
            switch try result.cardLookup(
                externalID: externalID, isRecordLasting: capabilities.contains(DriverConversation.recalling))
            {
            case .notFound: return true
            case .notRemembered: return false
            case .underWay, .ended:
                throw .violation(rule: "'payment' responds with the status 'none' for a payment that was never made")
            }
        } catch {
            throw conversation.failed(error)
        }
    }

    /// The readers found within two seconds after the first one, or within the driver's response limit.
    private func scan(_ conversation: DriverConversation) async throws -> [Reader] {
        _ = try await conversation.result(.scan(allDevices: false))
        var found: [Reader] = []
        var deadline = ContinuousClock.now + .seconds(limits.answer)
        while found.count < Self.maximumReaders {
            let left = ContinuousClock.now.duration(to: deadline) / .seconds(1)
            guard left > 0, let message = try await conversation.event(within: left) else { break }
            guard message.event == "found", let reader = message.reader?.value else { continue }
            if found.isEmpty { deadline = min(deadline, .now + .seconds(2)) }
            if !found.contains(where: { $0.id == reader.id }) { found.append(reader) }
        }
        return found
    }

    private func stopScan(_ conversation: DriverConversation) async throws {
        let response = try await conversation.ask(.stopScan) { _ in }
        if let refusal = response.error { throw conversation.refused("stopScan", refusal) }
        let late = try await conversation.ask(.ping) { message in
            guard message.event == "found" else { return }
            throw conversation.failed(.violation(rule: "no 'found' comes after the response to 'stopScan'"))
        }
        if let refusal = late.error { throw conversation.refused("ping", refusal) }
    }

    private func endWhileScanning() async throws {
        let (conversation, _) = try await DriverConversation.open(
            command, variables: variables, limits: limits, onErrorLine: onErrorLine)
        do {
            _ = try await conversation.result(.scan(allDevices: false))
        } catch {
            await conversation.close()
            throw error
        }
        try checkEnd(await conversation.close(), of: conversation)
    }

    private func checkEnd(_ ending: DriverProcess.Ending, of conversation: DriverConversation) throws {
        if ending.wasForced {
            throw conversation.failed(
                .violation(rule: "a driver exits when its standard input closes; this one had to be killed"))
        }
        if ending.failure != .ended(status: 0) { throw conversation.failed(ending.failure) }
    }
}

extension DriverCheck {
    /// Maximum seconds without an event while a reader becomes ready, as a multiple of the response limit.
    private static let readyTimeoutFactor = 6.0

    /// Connects to the first reader that becomes ready, cancels a charge, and disconnects. Returns false if no reader can be
    /// connected.
    func connect(
        _ conversation: DriverConversation, _ readers: [Reader], _ capabilities: Set<String>,
        _ steps: DriverCheckReporter
    ) async throws -> Bool {
        var reasons: [String] = []
        for reader in readers {
            let response = try await conversation.ask(.connect(reader.id, timeout: 30), timeout: 40)
            if let refusal = response.error {
                reasons.append("\(reader.label): \(refusal.code)")
                continue
            }
            guard let connected = response.result?.reader?.value, connected.id == reader.id else {
                throw conversation.failed(
                    .violation(rule: "the response to 'connect' has the requested 'reader'"))
            }
            let session = ExternalSession(
                conversation, connected, takesPayments: capabilities.contains(DriverConversation.charging))
            if let reason = try await prepare(session, conversation) {
                reasons.append("\(reader.label): \(reason)")
                continue
            }
            try await steps.pass("\(reader.label) became ready")
            if capabilities.contains(DriverConversation.charging) {
                steps.begin("cancel")
                try await cancelCharge(session, conversation)
                try await steps.pass("a charge is cancelled before a card is presented")
            }
            steps.begin("disconnect")
            try await disconnect(conversation)
            try await steps.pass("ends the session")
            return true
        }
        try await steps.end(.skipped("could not connect to any reader: " + reasons.joined(separator: ", ")))
        return false
    }

    /// Waits until the session is ready. Otherwise returns the reason, if it lies with the reader and not with the driver.
    private func prepare(_ session: ExternalSession, _ conversation: DriverConversation) async throws -> String? {
        while true {
            switch try await session.nextEvent(timeout: conversation.limits.answer * Self.readyTimeoutFactor) {
            case .state(.ready), .state(.lowBattery): return nil
            case .state(.disconnected), nil: return "disconnected before it was ready"
            case .updateNeeded:
                let response = try await conversation.ask(.update(begin: true))
                guard let refusal = response.error else {
                    session.recordUpdateDecision(true)
                    continue
                }
                guard refusal.code == "low_battery" else { throw conversation.refused("update", refusal) }
                try await session.respondToUpdate(false)
            default: continue
            }
        }
    }

    /// Starts a charge and cancels it at once, because no card is presented in a check.
    private func cancelCharge(_ session: ExternalSession, _ conversation: DriverConversation) async throws {
        let charge = CardCharge(
            idempotencyKey: "driver-check-cancelled", externalPaymentID: "driver-check-cancelled", amount: 100,
            currency: "USD", isFinal: true, capture: true)
        let id = try conversation.post(.charge(charge))
        let cancel = try conversation.post(.cancel)
        var isCancelled = false
        while true {
            let message = try await conversation.next(
                awaiting: "the end of a charge that was cancelled", timeout: conversation.limits.answer)
            if message.id == cancel {
                if let refusal = message.error { throw conversation.refused("cancel", refusal) }
                isCancelled = true
            } else if message.id == id {
                if let refusal = message.error { throw conversation.refused("charge", refusal) }
                guard message.result?.outcome == "cancelled" else {
                    throw conversation.failed(
                        .violation(
                            rule: "a charge that is cancelled before a card is presented has the outcome 'cancelled'"))
                }
                guard !isCancelled else { return }
                let response = try await conversation.next(
                    awaiting: "a response to 'cancel'", timeout: conversation.limits.answer)
                guard response.id == cancel else { throw conversation.unasked(response.id ?? 0) }
                return
            } else if let id = message.id {
                throw conversation.unasked(id)
            }
        }
    }

    private func disconnect(_ conversation: DriverConversation) async throws {
        let response = try await conversation.ask(.disconnect) { _ in }
        if let refusal = response.error { throw conversation.refused("disconnect", refusal) }
        let late = try await conversation.ask(.ping) { message in
            guard ["state", "battery", "progress", "reader", "update"].contains(message.event) else { return }
            throw conversation.failed(.violation(rule: "no session event comes after the response to 'disconnect'"))
        }
        if let refusal = late.error { throw conversation.refused("ping", refusal) }
    }
}

/// Goes through the protocol with a driver program, step by step, and stops at the first thing that is wrong.
package struct DriverCheck: Sendable {
    /// What came of a step.
    package enum Outcome: Sendable, Equatable {
        /// All as it should be; a word about it.
        case passed(String)
        /// Not done, and why.
        case skipped(String)
        case failed(ReaderError)
    }

    /// What came of all of them.
    package enum Verdict: Sendable, Equatable {
        case conforms
        /// Something was wrong.
        case fails(ReaderError)
        /// No reader was in sight, so that a part could not be looked at.
        case incomplete
    }

    private let command: DriverCommand
    private let variables: [String: String]
    private let limits: DriverLimits
    private let onErrorLine: @Sendable (String) -> Void

    /// See `ExternalDriver`.
    package init(
        _ command: DriverCommand, variables: [String: String], limits: DriverLimits = DriverLimits(),
        onErrorLine: @escaping @Sendable (String) -> Void
    ) {
        self.command = command
        self.variables = variables
        self.limits = limits
        self.onErrorLine = onErrorLine
    }

    /// An id that no reader has.
    private static let unknownID = "no-such-reader"
    /// How many readers are tried: some need an update and are too low for it.
    private static let mostReaders = 5

    /// Runs the steps, and tells of each when it is done.
    package func run(
        onStep: @escaping @Sendable (String, Outcome) async throws -> Void
    ) async throws -> Verdict {
        let steps = StepReport(onStep)
        do {
            steps.begin("hello")
            let (conversation, hello) = try await DriverConversation.open(
                command, variables: variables, limits: limits, onErrorLine: onErrorLine)
            let capabilities = Set(hello.capabilities ?? [])
            try await steps.pass(Self.words(hello))
            var hasSeenReader = true
            do {
                hasSeenReader = try await converse(conversation, capabilities, steps)
            } catch {
                await conversation.close()
                throw error
            }
            steps.begin("end of input")
            try checkEnd(await conversation.close(), of: conversation)
            try await steps.pass("ends by itself")
            if capabilities.contains(DriverConversation.scanning) {
                steps.begin("end of input in a scan")
                try await endWhileScanning()
                try await steps.pass("ends by itself")
            }
            return hasSeenReader ? .conforms : .incomplete
        } catch let error as ReaderError {
            try await steps.end(.failed(error))
            return .fails(error)
        }
    }

    /// Starts the program, shakes hands with it and ends it.
    ///
    /// - Returns: what it says of itself: its name and version, and what it can do.
    /// - Throws: `ReaderError.driver`, `CancellationError`; the program has then ended.
    package func greeting() async throws -> String {
        let (conversation, hello) = try await DriverConversation.open(
            command, variables: variables, limits: limits, onErrorLine: onErrorLine)
        await conversation.close()
        return Self.words(hello)
    }

    private static func words(_ hello: DriverResult) -> String {
        let name = [hello.driver, hello.driverVersion].compactMap(\.self).joined(separator: " ")
        return "\(name), can \(Set(hello.capabilities ?? []).sorted().joined(separator: ", "))"
    }

    /// Everything between the handshake and the end. Returns whether a reader was in sight, or none is needed.
    private func converse(
        _ conversation: DriverConversation, _ capabilities: Set<String>,
        _ steps: StepReport
    ) async throws -> Bool {
        steps.begin("ping")
        _ = try await conversation.result(.ping)
        try await steps.pass("is answered")
        steps.begin("unknown request")
        try await expectRefusal(conversation, DriverRequest(request: "noSuchRequest"), code: "unknown_request")
        try await steps.pass("is refused")
        if capabilities.contains(DriverConversation.charging) {
            steps.begin("payment")
            let isProof = try await lookUpNothing(conversation, capabilities)
            try await steps.pass(
                "a payment that never was is not found"
                    + (isProof ? "" : "; without the capability 'recall' that proves nothing to 'charge recover'"))
            steps.begin("charge without a reader")
            try await expectRefusal(conversation, .charge(Self.charge), code: "reader_not_ready")
            try await steps.pass("is refused")
        }
        var found: [Reader] = []
        if capabilities.contains(DriverConversation.scanning) {
            steps.begin("scan")
            found = try await scan(conversation)
            try await steps.pass(found.isEmpty ? "no reader in sight" : "found \(found[0].label)")
            steps.begin("stopScan")
            try await stopScan(conversation)
            try await steps.pass("nothing is found afterwards")
        }
        guard capabilities.contains(DriverConversation.connecting) else { return true }
        steps.begin("connect to an unknown reader")
        try await expectRefusal(conversation, .connect(Self.unknownID, timeout: limits.answer), code: "not_found")
        try await steps.pass("is refused")
        steps.begin("connect")
        guard !found.isEmpty else {
            try await steps.end(.skipped("no reader in sight"))
            return false
        }
        return try await connect(conversation, found, capabilities, steps)
    }

    private static let charge = CardCharge(
        idempotencyKey: "driver-check", externalPaymentID: "driver-check-never-made", amount: 100, currency: "USD",
        isFinal: true, capture: true)

    private func expectRefusal(_ conversation: DriverConversation, _ request: DriverRequest, code: String) async throws
    {
        let answer = try await conversation.ask(request)
        guard let refusal = answer.error else {
            throw conversation.failed(.violation(rule: "'\(request.request)' is refused here, with the code '\(code)'"))
        }
        guard refusal.code == code else {
            throw conversation.failed(
                .violation(rule: "'\(request.request)' is refused here with the code '\(code)', not '\(refusal.code)'"))
        }
    }

    /// Returns whether the driver's word that there is no payment is proof.
    private func lookUpNothing(_ conversation: DriverConversation, _ capabilities: Set<String>) async throws -> Bool {
        let externalID = Self.charge.externalPaymentID
        let result = try await conversation.result(.payment(externalID: externalID))
        do throws(DriverFailure) {
            switch try result.cardLookup(
                externalID: externalID, isRecordLasting: capabilities.contains(DriverConversation.recalling))
            {
            case .notFound: return true
            case .notRemembered: return false
            case .underWay, .ended:
                throw .violation(rule: "'payment' answers with the status 'none' for a payment that was never made")
            }
        } catch {
            throw conversation.failed(error)
        }
    }

    /// The readers that are found until a second is over after the first, or the driver's time is.
    private func scan(_ conversation: DriverConversation) async throws -> [Reader] {
        _ = try await conversation.result(.scan(allDevices: false))
        var found: [Reader] = []
        var deadline = ContinuousClock.now + .seconds(limits.answer)
        while found.count < Self.mostReaders {
            let left = ContinuousClock.now.duration(to: deadline) / .seconds(1)
            guard left > 0, let message = try await conversation.event(within: left) else { break }
            guard message.event == "found", let reader = message.reader?.value else { continue }
            if found.isEmpty { deadline = min(deadline, .now + .seconds(2)) }
            if !found.contains(where: { $0.id == reader.id }) { found.append(reader) }
        }
        return found
    }

    private func stopScan(_ conversation: DriverConversation) async throws {
        let answer = try await conversation.ask(.stopScan) { _ in }
        if let refusal = answer.error { throw conversation.refused("stopScan", refusal) }
        let late = try await conversation.ask(.ping) { message in
            guard message.event == "found" else { return }
            throw conversation.failed(.violation(rule: "no 'found' comes after the answer to 'stopScan'"))
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
                .violation(rule: "a driver ends when its standard input does, and this one had to be killed"))
        }
        if ending.failure != .ended(status: 0) { throw conversation.failed(ending.failure) }
    }
}

extension DriverCheck {
    /// Seconds without news that a reader may take to get ready, as a multiple of the time for an answer.
    private static let patience = 6.0

    /// Connects to the first reader that gets ready, cancels a charge, and disconnects. Returns false when none can be
    /// connected.
    func connect(
        _ conversation: DriverConversation, _ readers: [Reader], _ capabilities: Set<String>,
        _ steps: StepReport
    ) async throws -> Bool {
        var reasons: [String] = []
        for reader in readers {
            let answer = try await conversation.ask(.connect(reader.id, timeout: 30), patience: 40)
            if let refusal = answer.error {
                reasons.append("\(reader.label): \(refusal.code)")
                continue
            }
            guard let connected = answer.result?.reader?.value, connected.id == reader.id else {
                throw conversation.failed(
                    .violation(rule: "the answer to 'connect' has the 'reader' that was asked for"))
            }
            let session = ExternalSession(
                conversation, connected, takesPayments: capabilities.contains(DriverConversation.charging))
            if let reason = try await prepare(session, conversation) {
                reasons.append("\(reader.label): \(reason)")
                continue
            }
            try await steps.pass("\(reader.label) got ready")
            if capabilities.contains(DriverConversation.charging) {
                steps.begin("cancel")
                try await cancelCharge(session, conversation)
                try await steps.pass("a charge is given up before a card is shown")
            }
            steps.begin("disconnect")
            try await disconnect(conversation)
            try await steps.pass("ends the session")
            return true
        }
        try await steps.end(.skipped("no reader can be connected: " + reasons.joined(separator: ", ")))
        return false
    }

    /// Waits until the session is ready. Returns why it will not be, where that is the reader's and not the driver's
    /// fault.
    private func prepare(_ session: ExternalSession, _ conversation: DriverConversation) async throws -> String? {
        while true {
            switch try await session.nextEvent(patience: conversation.limits.answer * Self.patience) {
            case .state(.ready), .state(.lowBattery): return nil
            case .state(.disconnected), nil: return "disconnected before it was ready"
            case .updateNeeded:
                let answer = try await conversation.ask(.update(begin: true))
                guard let refusal = answer.error else {
                    session.noteUpdate(true)
                    continue
                }
                guard refusal.code == "low_battery" else { throw conversation.refused("update", refusal) }
                try await session.answerUpdate(false)
            default: continue
            }
        }
    }

    /// Begins a charge and gives it up at once; nobody shows a card to a check.
    private func cancelCharge(_ session: ExternalSession, _ conversation: DriverConversation) async throws {
        let charge = CardCharge(
            idempotencyKey: "driver-check-cancelled", externalPaymentID: "driver-check-cancelled", amount: 100,
            currency: "USD", isFinal: true, capture: true)
        let id = try conversation.post(.charge(charge))
        let cancel = try conversation.post(.cancel)
        var isCancelled = false
        while true {
            let message = try await conversation.next(
                awaiting: "the end of a charge that was cancelled", patience: conversation.limits.answer)
            if message.id == cancel {
                if let refusal = message.error { throw conversation.refused("cancel", refusal) }
                isCancelled = true
            } else if message.id == id {
                if let refusal = message.error { throw conversation.refused("charge", refusal) }
                guard message.result?.outcome == "cancelled" else {
                    throw conversation.failed(
                        .violation(
                            rule: "a charge that is cancelled before a card is shown has the outcome 'cancelled'"))
                }
                guard !isCancelled else { return }
                let answer = try await conversation.next(
                    awaiting: "an answer to 'cancel'", patience: conversation.limits.answer)
                guard answer.id == cancel else { throw conversation.unasked(answer.id ?? 0) }
                return
            } else if let id = message.id {
                throw conversation.unasked(id)
            }
        }
    }

    private func disconnect(_ conversation: DriverConversation) async throws {
        let answer = try await conversation.ask(.disconnect) { _ in }
        if let refusal = answer.error { throw conversation.refused("disconnect", refusal) }
        let late = try await conversation.ask(.ping) { message in
            guard ["state", "battery", "progress", "reader", "update"].contains(message.event) else { return }
            throw conversation.failed(.violation(rule: "nothing of a session comes after the answer to 'disconnect'"))
        }
        if let refusal = late.error { throw conversation.refused("ping", refusal) }
    }
}

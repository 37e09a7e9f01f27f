/// The result of a step of `ExternalDriver.check`.
package enum DriverCheckOutcome: Sendable, Equatable {
    /// The step passed; with a detail.
    case passed(String)
    /// The step was not run, with the reason.
    case skipped(String)
    case failed(ReaderError)
}

/// The result of `ExternalDriver.check`.
package enum DriverCheckVerdict: Sendable, Equatable {
    case conforms
    case fails(ReaderError)
    /// No reader was found, so some steps could not be run.
    case incomplete
}

extension ExternalDriver {
    /// Tests the program against the protocol, step by step, and stops at the first fault.
    ///
    /// - Parameter onStep: receives each step's name and outcome when it is done.
    package func check(
        onStep: @escaping @Sendable (String, DriverCheckOutcome) async throws -> Void
    ) async throws -> DriverCheckVerdict {
        var check = DriverCheck(driver: self, report: onStep)
        return try await check.run()
    }

    /// Starts the program, completes the handshake and ends the program.
    ///
    /// - Returns: what the program reports: its name, version and capabilities.
    /// - Throws: `ReaderError.driver`, `CancellationError`; the program has ended by then.
    package func greeting() async throws -> String {
        let conversation = try await open()
        await conversation.close()
        return conversation.summary
    }
}

/// A check of a driver program that is in progress.
private struct DriverCheck {
    let driver: ExternalDriver
    let report: @Sendable (String, DriverCheckOutcome) async throws -> Void
    private var step = "start"

    init(
        driver: ExternalDriver, report: @escaping @Sendable (String, DriverCheckOutcome) async throws -> Void
    ) {
        self.driver = driver
        self.report = report
    }

    private static let unknownID = "no-such-reader"
    /// Maximum number of readers to try: some may need an update with too low a battery for it.
    private static let maximumReaders = 5

    /// Runs the steps, and reports each one when it is done.
    mutating func run() async throws -> DriverCheckVerdict {
        do {
            step = "hello"
            let conversation = try await driver.open()
            try await pass(conversation.summary)
            var hasSeenReader = true
            do {
                hasSeenReader = try await converse(conversation)
            } catch {
                await conversation.close()
                throw error
            }
            step = "end of input"
            try checkEnd(await conversation.close(), of: conversation)
            try await pass("exits on its own")
            if conversation.can(.scan) {
                step = "end of input in a scan"
                try await endWhileScanning()
                try await pass("exits on its own")
            }
            return hasSeenReader ? .conforms : .incomplete
        } catch let error as ReaderError {
            try await report(step, .failed(error))
            return .fails(error)
        }
    }

    private func pass(_ detail: String) async throws {
        try await report(step, .passed(detail))
    }

    /// Runs every step between the handshake and the end. Returns false if a reader is needed but none was found.
    private mutating func converse(_ conversation: DriverConversation) async throws -> Bool {
        step = "ping"
        _ = try await conversation.result(.ping)
        try await pass("gets a response")
        step = "unknown request"
        try await expectRefusal(conversation, DriverRequest(request: "noSuchRequest"), code: "unknown_request")
        try await pass("is refused")
        if conversation.can(.charge) {
            step = "payment"
            let isProof = try await lookUpMissingPayment(conversation)
            try await pass(
                "a payment that was never made is not found"
                    + (isProof
                        ? "" : "; without the capability 'recall', 'charge recover' does not accept that as proof"))
            step = "charge without a reader"
            try await expectRefusal(conversation, .charge(Self.charge), code: "reader_not_ready")
            try await pass("is refused")
        }
        var found: [Reader] = []
        if conversation.can(.scan) {
            step = "scan"
            found = try await scan(conversation)
            try await pass(found.isEmpty ? "no reader found" : "found \(found[0].label)")
            step = "stopScan"
            try await stopScan(conversation)
            try await pass("no reader is reported afterwards")
        }
        guard conversation.can(.connect) else { return true }
        step = "connect to an unknown reader"
        try await expectRefusal(
            conversation, .connect(Self.unknownID, timeout: driver.limits.answer), code: "not_found")
        try await pass("is refused")
        step = "connect"
        guard !found.isEmpty else {
            try await report(step, .skipped("no reader found"))
            return false
        }
        return try await connect(conversation, found)
    }

    private static let charge = CardCharge(
        idempotencyKey: "driver-check", externalPaymentID: "driver-check-never-made", amount: 100, currency: "USD",
        isFinal: true, capture: true)

    private func expectRefusal(_ conversation: DriverConversation, _ request: DriverRequest, code: String) async throws
    {
        let response = try await conversation.ask(request)
        guard let refusal = response.error else {
            throw conversation.violated("'\(request.request)' must be refused here, with the code '\(code)'")
        }
        guard refusal.code == code else {
            throw conversation.violated(
                "'\(request.request)' must be refused here with the code '\(code)', not '\(refusal.code)'")
        }
    }

    /// Looks up a payment that was never made. Returns whether the driver's response that there is none is proof.
    private func lookUpMissingPayment(_ conversation: DriverConversation) async throws -> Bool {
        switch try await conversation.lookUp(Self.charge.externalPaymentID) {
        case .notFound: return true
        case .notRemembered: return false
        case .underWay, .ended:
            throw conversation.violated("'payment' responds with the status 'none' for a payment that was never made")
        }
    }

    /// The readers found within two seconds after the first one, or within the driver's response limit.
    private func scan(_ conversation: DriverConversation) async throws -> [Reader] {
        _ = try await conversation.result(.scan(allDevices: false))
        var found: [Reader] = []
        var deadline = ContinuousClock.now + .seconds(driver.limits.answer)
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
            throw conversation.violated("no 'found' comes after the response to 'stopScan'")
        }
        if let refusal = late.error { throw conversation.refused("ping", refusal) }
    }

    private func endWhileScanning() async throws {
        let conversation = try await driver.open()
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
            throw conversation.violated("a driver exits when its standard input closes; this one had to be killed")
        }
        if ending.failure != .ended(status: 0) { throw conversation.failed(ending.failure) }
    }

    /// Maximum seconds without an event while a reader becomes ready, as a multiple of the response limit.
    private static let readyTimeoutFactor = 6.0

    /// Connects to the first reader that becomes ready, cancels a charge, and disconnects. Returns false if no reader can be
    /// connected.
    private mutating func connect(_ conversation: DriverConversation, _ readers: [Reader]) async throws -> Bool {
        var reasons: [String] = []
        for reader in readers {
            let response = try await conversation.ask(.connect(reader.id, timeout: 30), timeout: 40)
            if let refusal = response.error {
                reasons.append("\(reader.label): \(refusal.code)")
                continue
            }
            guard let connected = response.result?.reader?.value, connected.id == reader.id else {
                throw conversation.violated("the response to 'connect' has the requested 'reader'")
            }
            let session = ExternalSession(conversation, connected)
            if let reason = try await prepare(session, conversation) {
                reasons.append("\(reader.label): \(reason)")
                continue
            }
            try await pass("\(reader.label) became ready")
            if conversation.can(.charge) {
                step = "cancel"
                try await cancelCharge(session, conversation)
                try await pass("a charge is cancelled before a card is presented")
            }
            step = "disconnect"
            try await disconnect(conversation)
            try await pass("ends the session")
            return true
        }
        try await report(step, .skipped("could not connect to any reader: " + reasons.joined(separator: ", ")))
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
                    throw conversation.violated(
                        "a charge that is cancelled before a card is presented has the outcome 'cancelled'")
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
            throw conversation.violated("no session event comes after the response to 'disconnect'")
        }
        if let refusal = late.error { throw conversation.refused("ping", refusal) }
    }
}

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

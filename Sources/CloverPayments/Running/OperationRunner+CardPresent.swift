import CloverHTTP

/// Charges of a card that is shown, to a device or a reader.
extension OperationRunner {
    /// Seconds between two looks at what a device does.
    private static let lookInterval = 2.0

    /// Does `send`, the request of an operation; the wish to stop cancels a charge on its device meanwhile, and what the
    /// device does is told.
    func stoppable<Value: Sendable>(_ operation: PaymentOperation, _ send: () async -> Value) async -> Value {
        guard operation.kind == .charge, operation.rail == .payDisplay else { return await send() }
        let cancelling = CancelTask()
        stop.set {
            cancelling.start {
                await onEvent(.cancelling(operation))
                await cancelOnDevice(operation)
            }
        }
        let value = await withTaskGroup(of: Void.self) { group in
            group.addTask { await tellDeviceWords(operation) }
            let value = await send()
            group.cancelAll()
            return value
        }
        stop.set(nil)
        await cancelling.end()
        return value
    }

    /// Tells the device's words for what it does, as they change, until the charge has ended. A quick one has none.
    private func tellDeviceWords(_ operation: PaymentOperation) async {
        let inquiry = Inquiry(client: client, now: clock.now())
        var last: String?
        while !Task.isCancelled {
            do {
                try await clock.sleep(Self.lookInterval)
            } catch {
                return
            }
            guard let word = await inquiry.deviceWord(operation), word != last, !Task.isCancelled else { continue }
            last = word
            await onEvent(.progress(operation, ServiceRefusal.oneLine(word)))
        }
    }

    /// Asks the device to cancel until the charge has ended, which tells whether it came in time: the first time may overtake
    /// the charge on its way to the device, and find nothing there.
    private func cancelOnDevice(_ operation: PaymentOperation) async {
        var pause = Self.pause
        while !Task.isCancelled {
            _ = await client.exchange(
                call.device(.post, "cancel", operation), isLocal: operation.request.deviceAddress != nil)
            do {
                try await clock.sleep(pause)
            } catch {
                return
            }
            pause = min(2 * pause, 4)
        }
    }

    /// A device waits on its last screen until it is told what to show (Clover: REST Pay Display, tutorials). It changes
    /// nothing about the payment, so that nobody hears of it when it fails.
    func showNextScreen(after operation: PaymentOperation) async {
        guard operation.rail == .payDisplay, operation.kind == .charge,
            [.approved, .declined, .cancelled].contains(operation.state)
        else { return }
        let screen = operation.state == .approved ? "thank-you" : "welcome"
        _ = await client.exchange(
            call.device(.post, screen, operation), isLocal: operation.request.deviceAddress != nil)
    }

    /// Cancels when no card was shown in time: a reader has no time of its own, and lets a charge go on whose card was.
    private func cancellation(
        after seconds: Int?, _ cancel: @escaping @Sendable () -> Void
    ) -> Task<Void, Never>? {
        guard let seconds, seconds > 0 else { return nil }
        // Cancelled by the charge's end, before which nobody waits for it.
        return Task {
            do {
                try await clock.sleep(Double(seconds))
            } catch {
                return
            }
            cancel()
        }
    }

    /// Charges by the reader; what it tells becomes evidence.
    func readerEvidence(_ operation: PaymentOperation) async -> [Evidence] {
        guard let reader else {
            return [.neverLeft(.failed, OperationOutcome(reason: "there is no reader"))]
        }
        let cancelling = CancelTask()
        let cancel: @Sendable () -> Void = {
            cancelling.start {
                await onEvent(.cancelling(operation))
                await reader.cancel()
            }
        }
        stop.set(cancel)
        let patience = cancellation(after: operation.request.timeout, cancel)
        defer { patience?.cancel() }
        var heard = ReaderEvidence()
        do {
            for try await event in reader.charge(ReaderCharge(operation)) {
                if case .progress(let word) = event {
                    if ReaderEvidence.tellsOfCard(word) { patience?.cancel() }
                    await onEvent(.progress(operation, ServiceRefusal.oneLine(word)))
                }
                heard.take(event)
            }
        } catch {
            // What was told before stands; without an end, the outcome is unknown.
        }
        stop.set(nil)
        await cancelling.wait()
        guard heard.evidence.isEmpty else { return heard.evidence }
        return [
            .silence(
                OperationOutcome(reason: "the reader stopped responding before the payment ended"), isRepeatable: false)
        ]
    }
}

extension OperationRunner {
    /// What the reader's driver says of a charge; empty when there is no driver to ask, and only the service is left.
    ///
    /// A driver may hold money that the service does not know of yet, so that the service's silence is no proof while the
    /// driver has not been heard.
    func recalled(_ operation: PaymentOperation) async -> [Evidence] {
        guard operation.rail == .reader, operation.kind == .charge, let recollection,
            let externalID = operation.externalID
        else { return [] }
        func silence(_ reason: String) -> [Evidence] {
            [.silence(OperationOutcome(reason: reason), isRepeatable: false)]
        }
        switch await recollection.recall(externalID: externalID, driver: operation.request.driver) {
        case nil: return []
        case .ended(let event):
            var heard = ReaderEvidence()
            heard.take(event)
            return heard.evidence
        case .noPayment: return [.driverHasNone]
        case .underWay: return silence("the reader's driver still works on it")
        case .unclear(let reason): return silence("the reader's driver cannot tell: \(reason)")
        }
    }
}

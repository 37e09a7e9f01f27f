import CloverAPI
import CloverHTTP

/// Charges with the card present, on a device or a reader.
extension OperationRunner {
    /// Seconds between two polls of a device's state.
    private static let pollInterval = 2.0
    /// Seconds that a reader has for a card, unless the charge says otherwise, and then for the payment.
    private static let readerTimeout = 300

    /// Runs `send`, the request of an operation. Meanwhile, a cancellation cancels the charge on its device, and the device's
    /// progress is reported.
    func withCancellation<Value: Sendable>(_ operation: PaymentOperation, _ send: () async -> Value) async -> Value {
        guard operation.kind == .charge, operation.rail.rules.hasDevice else { return await send() }
        let cancelling = OneShotTask()
        stop.set {
            cancelling.start {
                await onEvent(.cancelling(operation))
                await cancelOnDevice(operation)
            }
        }
        let value = await withTaskGroup(of: Void.self) { group in
            group.addTask { await reportDeviceStates(operation) }
            let value = await send()
            group.cancelAll()
            return value
        }
        stop.set(nil)
        await cancelling.end()
        return value
    }

    /// Reports the device's state as it changes, until the charge has ended. A quick charge may have no reports.
    private func reportDeviceStates(_ operation: PaymentOperation) async {
        let inquiry = PaymentLookup(client: client, now: clock.now())
        var last: String?
        while !Task.isCancelled {
            do {
                try await clock.sleep(Self.pollInterval)
            } catch {
                return
            }
            guard let word = await inquiry.deviceState(operation), word != last, !Task.isCancelled else { continue }
            last = word
            await onEvent(.progress(operation, ServiceErrorBody.oneLine(word)))
        }
    }

    /// Asks the device to cancel, again and again until the charge has ended, which shows whether the cancellation took
    /// effect: the first one may overtake the charge on its way to the device, and find nothing to cancel.
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

    /// Sends the device its next screen, because it stays on its last screen until it gets one (Clover: REST Pay Display,
    /// tutorials). This does not affect the payment, so a failure is ignored.
    func showNextScreen(after operation: PaymentOperation) async {
        guard operation.kind == .charge, let screen = operation.rail.rules.nextScreen(after: operation.state) else {
            return
        }
        _ = await client.exchange(
            call.device(.post, screen, operation), isLocal: operation.request.deviceAddress != nil)
    }

    /// Cancels if no card was presented in time, because readers have no timeout. Once a card was presented, the charge
    /// continues.
    private func cancellation(
        after seconds: Int?, _ cancel: @escaping @Sendable () -> Void
    ) -> Task<Void, Never>? {
        guard let seconds, seconds > 0 else { return nil }
        // Cancelled when the charge ends; not awaited before that.
        return Task {
            do {
                try await clock.sleep(Double(seconds))
            } catch {
                return
            }
            cancel()
        }
    }

    /// Charges with the reader, and turns its events into evidence.
    func readerEvidence(_ operation: PaymentOperation) async -> [Evidence] {
        guard let reader else {
            return [.neverLeft(.failed, OperationOutcome(reason: "there is no reader"))]
        }
        let cancelling = OneShotTask()
        let cancel: @Sendable () -> Void = {
            cancelling.start {
                await onEvent(.cancelling(operation))
                await reader.cancel()
            }
        }
        stop.set(cancel)
        var timeout = cancellation(after: operation.request.timeout ?? Self.readerTimeout, cancel)
        defer { timeout?.cancel() }
        var isCardShown = false
        var reason = "the reader stopped responding before the payment ended"
        var payment: String?
        var heard = ReaderEvidence()
        do {
            for try await event in reader.charge(ReaderCharge(operation), until: stop.requests) {
                if case .progress(let word) = event {
                    if ReaderEvidence.mayHaveReadCard(word), !isCardShown {
                        isCardShown = true
                        timeout?.cancel()
                        timeout = cancellation(after: Self.readerTimeout, cancel)
                    }
                    await onEvent(.progress(operation, ServiceErrorBody.oneLine(word)))
                }
                heard.take(event)
            }
        } catch let failure as ReaderFailure {
            // Earlier events stand; without a final one, the outcome is unknown.
            reason = failure.reason
            payment = failure.payment
        } catch {
            // The same.
        }
        stop.set(nil)
        await cancelling.wait()
        guard heard.evidence.isEmpty else { return heard.evidence }
        var outcome = OperationOutcome(reason: ServiceErrorBody.oneLine(reason))
        // Named, so that a driver that has no such payment later does not deny it.
        outcome.candidates = payment.map {
            [$0.isEmpty ? OperationOutcome.unnamedPayment : ServiceErrorBody.oneLine($0)]
        }
        return [.silence(outcome, isRepeatable: false)]
    }
}

extension OperationRunner {
    /// What the reader's driver reports about a charge; empty if there is no driver to ask, and only the service is left.
    ///
    /// A driver may hold money that the service does not know yet, so the service's silence proves nothing until the
    /// driver has responded.
    func recalled(_ operation: PaymentOperation) async -> [Evidence] {
        guard operation.rail.rules.hasReader, operation.kind == .charge, let recollection,
            let externalID = operation.externalID
        else { return [] }
        let status: ReaderChargeStatus?
        do {
            status = try await stop.requests.during {
                await recollection.recall(externalID: externalID, driver: operation.request.driver)
            }
        } catch {
            // `recall` throws nothing.
            return []
        }
        switch status {
        case nil: return []
        case .ended(let event):
            var heard = ReaderEvidence()
            heard.take(event)
            return heard.evidence
        case .noPayment:
            // The same words start another driver on another machine.
            var isOwn = false
            do { isOwn = operation.request.machine == (try await journal.machine(creates: false)) } catch {}
            return isOwn
                ? [.absentFromDriver]
                : [.inconclusive("the reader's driver here has no such payment, but another machine made the charge")]
        case .underWay: return [.inconclusive("the reader's driver is still working on it")]
        case .unclear(let reason):
            let words = ServiceErrorBody.oneLine(reason)
            return [.inconclusive("the reader's driver cannot report the outcome: \(words)")]
        }
    }
}

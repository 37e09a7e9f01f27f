/// Runs operations on the shop's devices, one per device at a time. An operation continues when its caller disconnects.
///
/// An operation begins with a call that needs a card. The customer presents the card after a while, and until then the
/// operation can be cancelled; then the issuer decides. The actor owns the operation's task, which ends with the
/// operation.
actor DeviceScheduler {
    enum Ending {
        case cancelled
        case decided
        /// The card was used, but the device was reset before the response arrived.
        case reset
    }

    struct DeviceOperation: Sendable {
        let name: String
        let posID: String
        let key: PaymentKey
        let externalPaymentID: String?
        let cardTime: Duration
        let authorizationTime: Duration
        /// Performs the payment, once.
        let settle: @Sendable (Ending) -> EmulatorResponse
    }

    private struct Operation {
        let request: DeviceOperation
        let card: Task<Void, any Error>
        var isCardPresented = false
        var isReset = false
        var waiting: [Int: CheckedContinuation<EmulatorResponse?, Never>] = [:]
    }

    private var operations: [String: Operation] = [:]
    /// Devices that still show the result screen because no other screen was requested (Clover documentation, REST Pay
    /// tutorials).
    private var showingResult: Set<String> = []
    private var callers = 0

    /// Starts an operation on a device, or joins it if the same one is already running.
    ///
    /// - Parameter timeout: maximum wait; the operation continues after it.
    /// - Returns: the response; nil on timeout.
    /// - Throws: 503 if the device is busy with another operation.
    func perform(_ request: DeviceOperation, on serial: String, timeout: Duration?) async throws(PaymentRefusal)
        -> EmulatorResponse?
    {
        if let operation = operations[serial] {
            let key = operation.request.key
            guard key.id == request.key.id, key.fingerprint == request.key.fingerprint else {
                throw busy(serial, for: request.name)
            }
        } else {
            let card = Task { try await Task.sleep(for: request.cardTime) }
            operations[serial] = Operation(request: request, card: card)
            Task { await serve(serial, request, card) }
        }
        callers += 1
        let number = callers
        let timer = timeout.map { limit in
            Task {
                try await Task.sleep(for: limit)
                expire(number, on: serial)
            }
        }
        let answer = await withCheckedContinuation { operations[serial]?.waiting[number] = $0 }
        timer?.cancel()
        return answer
    }

    private func serve(_ serial: String, _ request: DeviceOperation, _ card: Task<Void, any Error>) async {
        var ending = Ending.decided
        do {
            try await card.value
            operations[serial]?.isCardPresented = true
            if request.authorizationTime > .zero { try await Task.sleep(for: request.authorizationTime) }
            if operations[serial]?.isReset == true { ending = .reset }
        } catch {
            ending = .cancelled
        }
        let answer = request.settle(ending)
        if ending != .cancelled { showingResult.insert(serial) }
        let operation = operations.removeValue(forKey: serial)
        for caller in operation?.waiting.values ?? [:].values { caller.resume(returning: answer) }
    }

    private func expire(_ caller: Int, on serial: String) {
        operations[serial]?.waiting.removeValue(forKey: caller)?.resume(returning: nil)
    }

    // MARK: Device calls

    /// - Throws: 503 if the device is busy.
    func checkFree(_ serial: String, for name: String) throws(PaymentRefusal) {
        if operations[serial] != nil { throw busy(serial, for: name) }
    }

    func show(on serial: String, for name: String) throws(PaymentRefusal) {
        try checkFree(serial, for: name)
        showingResult.remove(serial)
    }

    /// Cancels an operation whose card has not been presented yet; any other continues.
    func cancel(_ serial: String) {
        guard let operation = operations[serial], !operation.isCardPresented else { return }
        operation.card.cancel()
    }

    /// Cancels an operation. If the card was presented, the payment is voided.
    func reset(_ serial: String) {
        showingResult.remove(serial)
        operations[serial]?.isReset = true
        cancel(serial)
    }

    /// The state of a device, as named by the Remote Pay models.
    func status(_ serial: String) -> JSONValue {
        guard let operation = operations[serial] else {
            return ["state": .string(showingResult.contains(serial) ? "WAITING_FOR_POS" : "IDLE")]
        }
        var data: JSONValue = [:]
        if let id = operation.request.externalPaymentID { data.append("externalPaymentId", .string(id)) }
        return ["state": .string(operation.isCardPresented ? "BUSY" : "WAITING_FOR_CUSTOMER"), "data": data]
    }

    private func busy(_ serial: String, for name: String) -> PaymentRefusal {
        guard let request = operations[serial]?.request else {
            return .device(503, "RESOURCE_CONFLICT", "The device is busy", request: name)
        }
        return .device(
            503, "RESOURCE_CONFLICT",
            "The device is busy: another \(request.name) request, from \(request.posID), is in the foreground",
            request: name)
    }
}

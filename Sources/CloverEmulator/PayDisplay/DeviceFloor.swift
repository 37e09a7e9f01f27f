/// The devices of the shop at work: each does one thing at a time, and goes on with it when the caller is gone.
///
/// A visit begins with a call that needs a card. The customer shows the card after a while, and until then the visit can
/// be cancelled; then the issuer decides. The task of a visit belongs to the floor and ends by itself, with the visit.
actor DeviceFloor {
    /// How a visit ended.
    enum Ending {
        case cancelled
        /// The card was used.
        case decided
        /// The card was used, but the device was reset before the answer was there.
        case reset
    }

    /// What somebody wants of a device.
    struct Errand: Sendable {
        let name: String
        let posID: String
        let key: PaymentKey
        let externalPaymentID: String?
        let cardTime: Duration
        let authorizationTime: Duration
        /// Moves the money, once.
        let settle: @Sendable (Ending) -> Answer
    }

    private struct Visit {
        let errand: Errand
        let card: Task<Void, any Error>
        var isCardShown = false
        var isReset = false
        var waiting: [Int: CheckedContinuation<Answer?, Never>] = [:]
    }

    private var visits: [String: Visit] = [:]
    /// Devices that still show the end of a visit, because nobody has asked for another screen (Clover documentation, REST
    /// Pay tutorials).
    private var spinning: Set<String> = []
    private var callers = 0

    /// Takes a device for an errand, or joins the visit that does it already.
    ///
    /// - Parameter timeout: how long to wait; the visit goes on after it.
    /// - Returns: the answer; nil when it took too long.
    /// - Throws: 503 when the device does something else.
    func perform(_ errand: Errand, on serial: String, timeout: Duration?) async throws(PaymentRefusal) -> Answer? {
        if let visit = visits[serial] {
            guard visit.errand.key.id == errand.key.id, visit.errand.key.fingerprint == errand.key.fingerprint else {
                throw busy(serial, for: errand.name)
            }
        } else {
            let card = Task { try await Task.sleep(for: errand.cardTime) }
            visits[serial] = Visit(errand: errand, card: card)
            Task { await serve(serial, errand, card) }
        }
        callers += 1
        let number = callers
        let timer = timeout.map { limit in
            Task {
                try await Task.sleep(for: limit)
                expire(number, on: serial)
            }
        }
        let answer = await withCheckedContinuation { visits[serial]?.waiting[number] = $0 }
        timer?.cancel()
        return answer
    }

    private func serve(_ serial: String, _ errand: Errand, _ card: Task<Void, any Error>) async {
        var ending = Ending.decided
        do {
            try await card.value
            visits[serial]?.isCardShown = true
            if errand.authorizationTime > .zero { try await Task.sleep(for: errand.authorizationTime) }
            if visits[serial]?.isReset == true { ending = .reset }
        } catch {
            ending = .cancelled
        }
        let answer = errand.settle(ending)
        if ending != .cancelled { spinning.insert(serial) }
        let visit = visits.removeValue(forKey: serial)
        for caller in visit?.waiting.values ?? [:].values { caller.resume(returning: answer) }
    }

    private func expire(_ caller: Int, on serial: String) {
        visits[serial]?.waiting.removeValue(forKey: caller)?.resume(returning: nil)
    }

    // MARK: Other calls

    /// - Throws: 503 when the device is at work.
    func checkFree(_ serial: String, for name: String) throws(PaymentRefusal) {
        if visits[serial] != nil { throw busy(serial, for: name) }
    }

    /// Shows another screen.
    func show(on serial: String, for name: String) throws(PaymentRefusal) {
        try checkFree(serial, for: name)
        spinning.remove(serial)
    }

    /// Cancels a visit whose card was not shown yet; any other goes on.
    func cancel(_ serial: String) {
        guard let visit = visits[serial], !visit.isCardShown else { return }
        visit.card.cancel()
    }

    /// Cancels a visit. One whose card was shown is undone.
    func reset(_ serial: String) {
        spinning.remove(serial)
        visits[serial]?.isReset = true
        cancel(serial)
    }

    /// The state of a device in the words of the Remote Pay models.
    func status(_ serial: String) -> JSONValue {
        guard let visit = visits[serial] else {
            return .object([("state", .string(spinning.contains(serial) ? "WAITING_FOR_POS" : "IDLE"))])
        }
        var data: JSONValue = .object([])
        if let id = visit.errand.externalPaymentID { data.append("externalPaymentId", .string(id)) }
        return .object([
            ("state", .string(visit.isCardShown ? "BUSY" : "WAITING_FOR_CUSTOMER")), ("data", data),
        ])
    }

    private func busy(_ serial: String, for name: String) -> PaymentRefusal {
        guard let errand = visits[serial]?.errand else {
            return .device(503, "RESOURCE_CONFLICT", "The device is busy", request: name)
        }
        return .device(
            503, "RESOURCE_CONFLICT",
            "The device is busy: another \(errand.name) request, from \(errand.posID), is in the foreground",
            request: name)
    }
}

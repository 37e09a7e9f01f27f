/// REST Pay Display: the shop's devices take payments (Clover documentation, REST Pay).
package struct PayDisplayAPI: Sendable {
    /// The calls, by what follows `/connect`; `{}` stands for an id.
    private static let paths: [(path: [String], methods: [String])] = [
        (["v1", "payments"], ["POST"]), (["v1", "payments", "external", "{}"], ["GET"]),
        (["v1", "payments", "{}"], ["GET"]), (["v1", "payments", "{}", "capture"], ["POST"]),
        (["v1", "payments", "{}", "increment"], ["POST"]), (["v1", "payments", "{}", "tip-adjust"], ["POST"]),
        (["v1", "payments", "{}", "void"], ["POST"]), (["v1", "payments", "{}", "refunds"], ["POST"]),
        (["v1", "payments", "{}", "receipt"], ["POST"]), (["v1", "credits"], ["POST"]),
        (["v1", "credits", "{}", "receipt"], ["POST"]), (["v1", "device", "ping"], ["GET", "POST"]),
        (["v1", "device", "status"], ["GET", "POST"]), (["v1", "device", "cancel"], ["POST"]),
        (["v1", "device", "reset"], ["POST", "PUT"]), (["v1", "device", "welcome"], ["POST"]),
        (["v1", "device", "thank-you"], ["POST"]), (["v1", "device", "display"], ["POST"]),
        (["v1", "device", "read-tip"], ["POST"]), (["device", "v1", "read-tip"], ["POST"]),
    ]
    /// Calls that no device here can do.
    private static let unsupported: Set<String> = [
        "read-confirmation", "read-input", "signature", "receipt-options", "print", "printers", "cash-drawers",
    ]
    /// Calls that take a key or fail.
    private static let keyed: Set<String> = [
        "payments", "credits", "capture", "increment", "tip-adjust", "void", "refunds",
    ]

    let ledger: ShopLedger
    let settings: PaymentSettings
    let floor = DeviceFloor()

    package init(ledger: ShopLedger, settings: PaymentSettings = PaymentSettings()) {
        self.ledger = ledger
        self.settings = settings
    }

    /// The answer to a call; refusals are answers too.
    package func answer(to call: PaymentCall) async -> Answer {
        do {
            return try await perform(call)
        } catch {
            return error.answer
        }
    }

    private func perform(_ call: PaymentCall) async throws(PaymentRefusal) -> Answer {
        guard call.isAuthorized else { throw .unauthorized }
        let path = Array(call.path.dropFirst())
        let match = Self.paths.first { entry in
            entry.path.count == path.count && zip(entry.path, path).allSatisfy { $0 == "{}" || $0 == $1 }
        }
        guard let match else {
            if path.count >= 3, path[1] == "device", Self.unsupported.contains(path[2]) {
                throw .device(501, "NOT_IMPLEMENTED", "The device cannot do it", request: path[2].uppercased())
            }
            throw .device(404, "NOT_FOUND", "No such call", request: "UNKNOWN")
        }
        let last = match.path.last { $0 != "{}" } ?? ""
        let name = match.path == ["v1", "payments"] ? "PAY" : last.uppercased()
        guard match.methods.contains(call.method) else {
            throw .device(405, "METHOD_NOT_ALLOWED", "The methods are \(match.methods)", request: name)
        }
        let device = try DeviceCall(
            call, name: name, needsKey: call.isWrite && Self.keyed.contains(last), view: ledger.view)
        switch call.fault {
        case .busy: throw .device(503, "RESOURCE_CONFLICT", "The device is busy with another request", request: name)
        case .unsupported: throw .device(501, "NOT_IMPLEMENTED", "The device cannot do it", request: name)
        case .keyClash: throw device.clash
        default: break
        }
        let answer = try await answer(device, match.path, path)
        // The device has done it, but its answer came too late.
        if call.fault == .deviceTimeout { throw .late(request: name) }
        return answer
    }

    private func answer(
        _ call: DeviceCall, _ pattern: [String], _ path: [String]
    ) async throws(PaymentRefusal) -> Answer {
        switch (pattern[1], pattern.count) {
        case ("payments", 2): return try await pay(call)
        case ("credits", 2): return try await credit(call)
        case ("payments", 3): return try payment(path[2], call)
        case ("payments", 4) where pattern[2] == "external": return try external(path[3], call)
        case ("payments", 4): return try await follow(path[2], pattern[3], call)
        case ("credits", 4):
            guard ledger.view.row(.credits, path[2]) != nil else {
                throw .device(404, "NOT_FOUND", "No credit with the id \(path[2])", request: call.name)
            }
            return try await receipt(call)
        default: return try await device(call, pattern.last ?? "")
        }
    }

    // MARK: Looking

    private func payment(_ id: String, _ call: DeviceCall) throws(PaymentRefusal) -> Answer {
        let desk = MoneyDesk(view: ledger.view, now: 0)
        guard let facts = desk.document(.devicePayment, id) else {
            throw .device(404, "NOT_FOUND", "No payment with the id \(id)", request: call.name)
        }
        return Answer(status: 200, json: desk.payReply(id, issues: facts["issues"]))
    }

    /// The newest payment with an external id. One that is still under way is not there.
    private func external(_ id: String, _ call: DeviceCall) throws(PaymentRefusal) -> Answer {
        let all = ledger.view.state.money.documents(.devicePayment)
        guard let found = all.last(where: { $0["externalPaymentId"]?.text == id })?.id else {
            throw .device(404, "NOT_FOUND", "No payment with the external id \(id)", request: call.name)
        }
        return try payment(found, call)
    }

    // MARK: Devices

    private func device(_ call: DeviceCall, _ verb: String) async throws(PaymentRefusal) -> Answer {
        let done = Answer(status: 200, json: .object([]))
        switch verb {
        case "ping": return Answer(status: 200, json: .object([("connected", .boolean(true))]))
        case "status": return Answer(status: 200, json: await floor.status(call.serial))
        case "cancel": await floor.cancel(call.serial)
        case "reset": await floor.reset(call.serial)
        case "display":
            guard call.body["text"]?.text != nil else { throw .badRequest("Missing value: text", request: call.name) }
            try await floor.show(on: call.serial, for: call.name)
        case "read-tip":
            let base = try call.neededCents("baseAmount", in: PayRequest.amounts)
            try await floor.show(on: call.serial, for: call.name)
            // The customer takes the first suggestion, or 18 percent.
            let percentage = call.body["tipSuggestions"]?.elements.first?["percentage"]?.integer ?? 18
            return Answer(status: 200, json: .object([("response", .integer(base * percentage / 100))]))
        default: try await floor.show(on: call.serial, for: call.name)
        }
        return done
    }
}

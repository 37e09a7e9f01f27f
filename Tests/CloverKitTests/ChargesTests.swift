import CloverKit
import CloverKitPayments
import CloverTestSupport
import FoundationEssentials
import Synchronization
import Testing

@Suite("charges of CloverKit")
struct ChargesTests {
    @Test("a key charges once, and the program knows the charge")
    func once() async throws {
        let world = try await ChargeWorld()
        var request = try await world.request()
        request.tip = 200
        let charge = try await world.charges.charge(request)
        #expect(charge.outcome == .approved && charge.amount == 1250 && charge.currency == "USD")
        #expect(charge.key == "order-1" && charge.paymentID != nil && charge.cardEnd == "4242" && !charge.isGivenBack)
        #expect(try await world.charges.charge(request) == charge)
        #expect(try await world.charges.charge(key: "order-1") == charge)
        #expect(try await world.charges.charge(key: "order-2") == nil)
        #expect(try await world.charges.unsettled().isEmpty)
        #expect(try await world.taken() == 1)
        let listed = try await world.run(try CommandRunner.builtProgram("clover"), ["charge", "list", "--json"])
        #expect(listed.status == 0 && listed.outputText.contains(charge.id), "\(listed)")
        // The token is neither in the journal nor in what is printed of a request.
        let database = try await world.run("/bin/grep", ["-rc", "clv_", world.directory["state"]])
        #expect(database.lines.allSatisfy { $0.hasSuffix(":0") }, "\(database)")
        var text = ""
        dump(request, to: &text)
        #expect(!text.contains("clv_") && !"\(request)".contains("clv_"))
    }

    @Test("another charge under the same key is refused, and takes nothing")
    func otherCharge() async throws {
        let world = try await ChargeWorld()
        _ = try await world.charges.charge(try await world.request())
        let other = try await world.request(1300)
        let error = await #expect(throws: CloverError.self) { _ = try await world.charges.charge(other) }
        // The first one may have been charged, so another key could be a second charge.
        #expect(error?.kind == .request && error?.nextStep.hasPrefix("see what became of that") == true)
        #expect(try await world.taken() == 1)
    }

    @Test("a lost journal does not charge a key again")
    func lostJournal() async throws {
        let world = try await ChargeWorld()
        let charge = try await world.charges.charge(try await world.request())
        var options = Shop.Options()
        options.stateDirectory = world.directory["elsewhere"]
        let elsewhere = Charges(
            for: try Shop(
                token: world.emulator.accessToken, merchantID: world.emulator.merchantID,
                environment: world.emulator.url, options: options))
        let found = try await elsewhere.charge(try await world.request())
        #expect(found.outcome == .approved && found.paymentID == charge.paymentID)
        #expect(try await world.taken() == 1)
    }

    @Test("a decline is a result, with Clover's code")
    func declined() async throws {
        let world = try await ChargeWorld("decline@1:/v1/charges")
        let charge = try await world.charges.charge(try await world.request())
        #expect(charge.outcome == .declined && charge.code == "card_declined")
        #expect(try await world.taken() == 0)
    }

    @Test(
        "a lost response is looked up, and nothing is charged twice", arguments: ["lose-answer", "500-after", "reset"])
    func lost(_ fault: String) async throws {
        // The first request of the path is the look for the key.
        let world = try await ChargeWorld("\(fault)@2:/v1/charges")
        let charge = try await world.charges.charge(try await world.request())
        #expect(charge.outcome == .approved, "\(charge)")
        #expect(try await world.taken() == 1)
    }

    @Test("what is not known stays open until Clover shows it, and is never charged again")
    func unknown() async throws {
        let service = LosingService()
        let server = try LoopbackServer { request, _ in service.answer(request) }
        let directory = try TemporaryDirectory()
        var options = Shop.Options()
        options.stateDirectory = directory["state"]
        let charges = Charges(
            for: try Shop(token: "token", merchantID: "M1", environment: server.url, options: options))
        let request = ChargeRequest(
            amount: 1250, currency: "USD", cardToken: "clv_1A", key: "order-1", payerAddress: "203.0.113.7")
        let charge = try await charges.charge(request)
        #expect(charge.outcome == .unknown && charge.reason != nil, "\(charge)")
        #expect(try await charges.unsettled() == [charge])
        let open = try #require(try await charges.recover(key: request.key))
        #expect(open.outcome == .unknown && open.lookupError?.kind == .forbidden, "\(open)")
        #expect(try await charges.charge(request).outcome == .unknown)
        service.state.withLock { $0.isShown = true }
        let known = try await charges.recover(key: request.key)
        #expect(known?.outcome == .approved && known?.id == charge.id && known?.paymentID == "PAYMENT1")
        #expect(try await charges.unsettled().isEmpty)
        #expect(try await charges.charge(request) == known)
        #expect(try await charges.recover(key: "other") == nil)
        #expect(server.requests.count { $0.method == "POST" && $0.path == "/v1/charges" } == 1)
    }

    @Test("a charge that Clover does not show differs from one that Clover could not be asked about")
    func asked() async throws {
        let isRefused = Mutex(false)
        let server = try LoopbackServer { request, _ in
            if request.method == "POST" { return .reset }
            return isRefused.withLock({ $0 })
                ? LoopbackResponse(status: "403 Forbidden", #"{"message":"no"}"#) : LosingService.list("")
        }
        let directory = try TemporaryDirectory()
        var options = Shop.Options()
        options.stateDirectory = directory["state"]
        let charges = Charges(
            for: try Shop(token: "token", merchantID: "M1", environment: server.url, options: options))
        let request = ChargeRequest(
            amount: 1250, currency: "USD", cardToken: "clv_1A", key: "order-1", payerAddress: "203.0.113.7")
        _ = try await charges.charge(request)
        let notShown = try #require(try await charges.recover(key: request.key))
        #expect(notShown.outcome != .approved && notShown.lookupError == nil, "\(notShown)")
        isRefused.withLock { $0 = true }
        let notAsked = try #require(try await charges.recover(key: request.key))
        #expect(notAsked.outcome == notShown.outcome && notAsked.lookupError?.kind == .forbidden, "\(notAsked)")
        #expect(notAsked.lookupError?.message.contains("(403)") == true)
        let known = try #require(try await charges.charge(key: request.key))
        #expect(known.outcome == notShown.outcome && known.lookupError == nil, "\(known)")
    }

    @Test("a person settles what stays unknown, and what a response proved stays")
    func settled() async throws {
        let server = try LoopbackServer { [service = LosingService()] request, _ in service.answer(request) }
        let directory = try TemporaryDirectory()
        var options = Shop.Options()
        options.stateDirectory = directory["state"]
        let charges = Charges(
            for: try Shop(token: "token", merchantID: "M1", environment: server.url, options: options))
        let request = ChargeRequest(
            amount: 1250, currency: "USD", cardToken: "clv_1A", key: "order-1", payerAddress: "203.0.113.7")
        #expect(try await charges.charge(request).outcome == .unknown)
        for (person, payment) in [("", nil), ("Anna\n", nil), ("Anna", "a/b"), ("Anna", "")] as [(String, String?)] {
            let error = await #expect(throws: CloverError.self) {
                try await charges.settle(key: request.key, as: .paid(paymentID: payment), by: person)
            }
            #expect(error?.kind == .request && error?.message.contains("nothing was recorded") == true)
        }
        #expect(try await charges.unsettled().count == 1)
        let unpaid = try #require(try await charges.settle(key: request.key, as: .notPaid, by: "Anna"))
        #expect(unpaid.outcome == .failed && unpaid.reason?.contains("Anna") == true, "\(unpaid)")
        #expect(try await charges.unsettled().isEmpty)
        // The service cannot be asked about the payment, and a person can be wrong.
        let paid = try #require(
            try await charges.settle(key: request.key, as: .paid(paymentID: "PAYMENT1"), by: "Ben"))
        #expect(paid.outcome == .approved && paid.paymentID == "PAYMENT1" && paid.captured == 1250, "\(paid)")
        #expect(try await charges.charge(request) == paid)
        #expect(try await charges.settle(key: "other", as: .notPaid, by: "Anna") == nil)
        #expect(server.requests.count { $0.method == "POST" && $0.path == "/v1/charges" } == 1)
        let world = try await ChargeWorld()
        let proved = try await world.charges.charge(try await world.request())
        let error = await #expect(throws: CloverError.self) {
            try await world.charges.settle(key: proved.key, as: .notPaid, by: "Anna")
        }
        #expect(error?.kind == .request && error?.message.contains("as a response of Clover shows") == true)
        #expect(try await world.charges.charge(key: proved.key) == proved)
    }

    @Test("a payment of a smaller amount is not taken for the charge, and is not given back unchecked")
    func part() async throws {
        let server = try LoopbackServer { request, _ in
            guard request.method == "POST" else { return LosingService.list("") }
            let found = request.bodyText.firstMatch(of: #/"external_reference_id":"([^"]+)"/#)
            return LoopbackResponse(LosingService.record(1000, found.map { String($0.1) } ?? ""))
        }
        let directory = try TemporaryDirectory()
        var options = Shop.Options()
        options.stateDirectory = directory["state"]
        let charges = Charges(
            for: try Shop(token: "token", merchantID: "M1", environment: server.url, options: options))
        let charge = try await charges.charge(
            ChargeRequest(
                amount: 1250, currency: "USD", cardToken: "clv_1A", key: "order-1", payerAddress: "203.0.113.7"))
        #expect(charge.outcome == .unknown && charge.reason?.contains("its amount is 10.00 USD") == true, "\(charge)")
        #expect(try await charges.unsettled() == [charge])
        #expect(server.requests.filter { $0.method == "POST" }.map(\.path) == ["/v1/charges"])
    }

    @Test("a task that is cancelled before anything was sent charges nothing, and its key is free")
    func cancelled() async throws {
        let world = try await ChargeWorld()
        let request = try await world.request()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await world.charges.charge(request)
        }
        #expect(try await task.value.outcome == .cancelled)
        #expect(try await world.taken() == 0)
        #expect(try await world.charges.charge(request).outcome == .approved)
        #expect(try await world.taken() == 1)
    }

    @Test("during a long pause, a charge has the error of a read, and is not sent")
    func paused() async throws {
        let server = try LoopbackServer { _, _ in
            LoopbackResponse(
                status: "429 Too Many Requests", headers: ["Retry-After: 3000"],
                body: Array(#"{"message":"429 Too Many Requests"}"#.utf8))
        }
        let directory = try TemporaryDirectory()
        var options = Shop.Options()
        options.stateDirectory = directory["state"]
        let charges = Charges(
            for: try Shop(token: "token", merchantID: "M1", environment: server.url, options: options))
        for (index, key) in ["order-1", "order-2", "order-1"].enumerated() {
            let request = ChargeRequest(
                amount: 1250, currency: "USD", cardToken: "clv_1A", key: key, payerAddress: "203.0.113.7")
            let error = await #expect(throws: CloverError.self) { _ = try await charges.charge(request) }
            #expect(error?.kind == .rateLimited && error?.status == (index == 0 ? 429 : nil), "\(error as Any)")
            let wait = try #require(error?.retryAfter)
            #expect(wait > .zero && wait <= .seconds(3000))
            #expect(error?.message.hasPrefix("the charge was not sent") == true, "\(error as Any)")
            #expect(error?.message.contains("'\(key)'") == true && error?.nextStep.contains("same key") == true)
            #expect(try await charges.charge(key: key)?.outcome == .unknown)
        }
        #expect(try await charges.unsettled().map(\.key) == ["order-1", "order-2"])
        #expect(server.requests.map(\.method) == ["GET"])
    }

    @Test("a key that could not be checked is open until Clover shows whether another journal has charged it")
    func uncheckedKey() async throws {
        let service = LosingService()
        let server = try LoopbackServer { request, _ in service.answer(request) }
        let directory = try TemporaryDirectory()
        func charges(_ state: String) throws -> Charges {
            var options = Shop.Options()
            options.stateDirectory = directory[state]
            return Charges(for: try Shop(token: "token", merchantID: "M1", environment: server.url, options: options))
        }
        let request = ChargeRequest(
            amount: 1250, currency: "USD", cardToken: "clv_1A", key: "order-1", payerAddress: "203.0.113.7")
        #expect(try await charges("first").charge(request).outcome == .unknown)
        let second = try charges("second")
        let error = await #expect(throws: CloverError.self) { _ = try await second.charge(request) }
        #expect(error?.message.hasPrefix("the charge was not sent") == true, "\(error as Any)")
        #expect(try await second.charge(key: request.key)?.outcome == .unknown)
        #expect(try await second.unsettled().map(\.key) == [request.key])
        let open = try await second.recover(key: request.key)
        #expect(open?.outcome == .unknown && open?.reason?.contains("was not sent") == true, "\(open as Any)")
        service.state.withLock { $0.isShown = true }
        let known = try await second.recover(key: request.key)
        #expect(known?.outcome == .approved && known?.paymentID == "PAYMENT1", "\(known as Any)")
        #expect(server.requests.count { $0.method == "POST" && $0.path == "/v1/charges" } == 1)
    }

    @Test("a payment that Clover does not show is not recorded, and the error says no more")
    func notShown() async throws {
        let server = try LoopbackServer { [service = LosingService()] request, _ in
            request.path.hasSuffix("/PAYMENT9")
                ? LoopbackResponse(status: "404 Not Found", #"{"message":"404 Not Found"}"#) : service.answer(request)
        }
        let directory = try TemporaryDirectory()
        var options = Shop.Options()
        options.stateDirectory = directory["state"]
        let charges = Charges(
            for: try Shop(token: "token", merchantID: "M1", environment: server.url, options: options))
        let request = ChargeRequest(
            amount: 1250, currency: "USD", cardToken: "clv_1A", key: "order-1", payerAddress: "203.0.113.7")
        #expect(try await charges.charge(request).outcome == .unknown)
        let error = await #expect(throws: CloverError.self) {
            try await charges.settle(key: request.key, as: .paid(paymentID: "PAYMENT9"), by: "Anna")
        }
        #expect(error?.kind == .request, "\(error as Any)")
        #expect(error?.message.contains("does not show this merchant a payment PAYMENT9") == true, "\(error as Any)")
        #expect(error?.message.hasSuffix("nothing was recorded") == true, "\(error as Any)")
        #expect(try await charges.unsettled().count == 1)
    }

    @Test("a service that cannot be reached is an error, which has no token")
    func unreachable() async throws {
        let world = try await ChargeWorld()
        let request = try await world.request()
        try await world.emulator.stop()
        let error = await #expect(throws: CloverError.self) { _ = try await world.charges.charge(request) }
        #expect(error?.kind == .unavailable)
        #expect(error.map { "\($0)" }?.contains("clv_") == false)
    }

    @Test("what cannot be right is refused, and nothing is recorded or sent")
    func malformed() async throws {
        let world = try await ChargeWorld()
        func request(
            _ amount: CloverKit.Money = 100, _ currency: String = "USD", _ token: String = "clv_1A",
            _ key: String = "k", _ address: String = "203.0.113.7"
        ) -> ChargeRequest {
            ChargeRequest(amount: amount, currency: currency, cardToken: token, key: key, payerAddress: address)
        }
        let requests = [
            request(0), request(100, "DOLLARS"), request(100, "USD", "4242424242424242"), request(100, "USD", ""),
            request(100, "USD", "clv 1"), request(100, "USD", "clv_1A", ""),
            request(100, "USD", "clv_1A", "a key"), request(100, "USD", "clv_1A", "k", "home"),
        ]
        for request in requests {
            let error = await #expect(throws: CloverError.self) { _ = try await world.charges.charge(request) }
            #expect(error?.kind == .request, "\(request)")
        }
        #expect(try await world.charges.unsettled().isEmpty)
        #expect(try await world.charges.charge(key: "k") == nil)
        #expect(try await world.emulator.page("/emulator/charges").isEmpty == false)
        #expect(try await world.taken() == 0)
    }
}

/// A service that closes the connection on a charge, and then shows no records until it is allowed to.
private final class LosingService: Sendable {
    struct State {
        var reference: String?
        var isShown = false
    }

    let state = Mutex(State())

    func answer(_ request: LoopbackRequest) -> LoopbackResponse {
        if request.method == "POST" {
            let found = request.bodyText.firstMatch(of: #/"external_reference_id":"([^"]+)"/#).map { String($0.1) }
            state.withLock { $0.reference = found ?? "" }
            return .reset
        }
        return state.withLock { state in
            guard let reference = state.reference else { return Self.list("") }
            guard state.isShown else { return LoopbackResponse(status: "403 Forbidden", #"{"message":"no"}"#) }
            return Self.list(Self.record(1250, reference))
        }
    }

    static func record(_ amount: Int, _ reference: String) -> String {
        """
        {"id":"PAYMENT1","amount":\(amount),"currency":"usd","created":\(Timestamp(.now).milliseconds),"status":"succeeded",\
        "external_reference_id":"\(reference)"}
        """
    }

    static func list(_ records: String) -> LoopbackResponse {
        LoopbackResponse(#"{"object":"list","has_more":false,"data":["# + records + "]}")
    }
}

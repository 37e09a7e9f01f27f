import CloverAPI
import CloverHTTP
import CloverJSON
import CloverOutput
import CloverPayments
import CloverSystem
import CloverTestSupport
import Glibc
import Synchronization
import Testing

@Suite("Charges by a card reader")
struct ReaderRailTests {
    /// A reader that reports the given events, and waits for `cancel` where they say so.
    private final class ScriptedReader: PaymentReader {
        private let events: [ReaderEvent]
        private let waitsForCancel: Bool
        private let beforeEnd: @Sendable () -> Void
        private let failure: ReaderFailure?
        private let cancelled = AsyncStream<Swift.Void>.makeStream()
        private let requests = Mutex<[ReaderCharge]>([])

        /// The requests that it received.
        var received: [ReaderCharge] { requests.withLock(\.self) }

        init(
            _ events: [ReaderEvent], waitsForCancel: Bool = false, failure: ReaderFailure? = nil,
            beforeEnd: @escaping @Sendable () -> Void = {}
        ) {
            self.failure = failure
            self.events = events
            self.waitsForCancel = waitsForCancel
            self.beforeEnd = beforeEnd
        }

        func charge(
            _ request: ReaderCharge, until end: WaitCanceller
        ) -> AsyncThrowingStream<ReaderEvent, any Error> {
            requests.withLock { $0.append(request) }
            let (stream, continuation) = AsyncThrowingStream<ReaderEvent, any Error>.makeStream()
            // Ends with its stream.
            Task { [events, waitsForCancel, failure, beforeEnd, cancelled] in
                for event in events { continuation.yield(event) }
                if waitsForCancel {
                    for await _ in cancelled.stream { break }
                    continuation.yield(.cancelled)
                }
                beforeEnd()
                continuation.finish(throwing: failure)
            }
            return stream
        }

        func cancel() async { cancelled.continuation.yield() }
    }

    /// A service with the given list of payments.
    private struct ListingTransport: HTTPTransport {
        final class Body: HTTPBody {
            private let rest: Mutex<[UInt8]?>
            init(_ text: String) { rest = Mutex(Array(text.utf8)) }
            func next() async throws(HTTPTransportError) -> [UInt8]? {
                rest.withLock { rest in
                    defer { rest = nil }
                    return rest
                }
            }
            func cancel() {}
        }
        let list: @Sendable () -> String

        func send(
            _ request: HTTPRequest, departure: SendGate, onEnd: @escaping @Sendable () -> Swift.Void
        ) async throws(HTTPTransportError) -> HTTPResponse {
            _ = departure.leave()
            onEnd()
            return HTTPResponse(status: 200, headers: [], body: Body(list()))
        }
    }

    /// A service that does not answer, and notes what the journal has before the first byte of a request can leave.
    private final class WitnessTransport: HTTPTransport {
        private let state: StateDirectory
        private let noted = Mutex<[OperationState]>([])
        var seen: [OperationState] { noted.withLock(\.self) }

        init(_ state: StateDirectory) { self.state = state }

        func send(
            _ request: HTTPRequest, departure: SendGate, onEnd: @escaping @Sendable () -> Swift.Void
        ) async throws(HTTPTransportError) -> HTTPResponse {
            do {
                let charges = try await ChargeJournal.existing(in: state)?.charges(limit: 1)
                if request.method == .post { noted.withLock { $0 += (charges ?? []).map(\.state) } }
            } catch {
                Issue.record("\(error)")
            }
            _ = departure.leave()
            onEnd()
            return HTTPResponse(status: 500, headers: [], body: ListingTransport.Body("{}"))
        }
    }

    private struct Bench {
        let journal: ChargeJournal
        let state: StateDirectory
        let operation: PaymentOperation
        let events = EventLog()
        let stop = ChargeCanceller()
        let directory: TemporaryDirectory

        init(timeout: Int? = nil, key: String? = nil) async throws {
            directory = try TemporaryDirectory()
            state = StateDirectory(path: directory["state"])
            journal = try await ChargeJournal.open(in: state)
            var plan = ChargePlan(rail: .reader, amount: Money(minorUnits: 1250, currency: .usDollar))
            plan.tip = 200
            plan.timeout = timeout
            plan.idempotencyKey = key
            operation = try plan.operation(environment: "us", merchantID: "M", now: 1000)
        }

        func runner(
            _ reader: (any PaymentReader)?, list: String = #"{"elements":[]}"#, now: Int64 = 2000,
            sleep: @escaping @Sendable (Double) async throws -> Swift.Void = { seconds in
                // The default limit of a reader never passes here.
                if seconds >= 300 { try await Task.sleep(for: .seconds(seconds)) }
            }, transport: (any HTTPTransport)? = nil,
            onEvent: @escaping @Sendable (ChargeEvent) -> Swift.Void = { _ in }
        ) throws -> OperationRunner {
            let external = operation.externalID ?? ""
            let service = ServiceClient(
                environment: try ServiceEnvironment(parsing: "us"), tokens: FixedToken(Secret("t")),
                transport: transport ?? ListingTransport { list.replacing("EXTERNAL", with: external) }, ledger: nil,
                policy: RetryPolicy(maximumRetries: 0), sleep: { _ in }, onEvent: { _ in })
            let client = PaymentClient(hosts: PaymentHosts(.us), service: service, local: service)
            let events = events
            return OperationRunner(
                journal: journal, client: client,
                clock: OperationRunner.Clock(now: { now }, boot: { nil }, sleep: sleep),
                reader: reader, stop: stop,
                onEvent: {
                    events.add($0)
                    onEvent($0)
                })
        }
    }

    private final class EventLog: Sendable {
        private let log = Mutex<[String]>([])
        var words: [String] { log.withLock(\.self) }

        func add(_ event: ChargeEvent) {
            let word =
                switch event {
                case .created: "created"
                case .sent: "sent"
                case .progress(_, let say): say
                case .cancelling: "cancelling"
                case .settled(let operation): operation.state.rawValue
                case .skipped: "skipped"
                }
            log.withLock { $0.append(word) }
        }
    }

    private static let paid = ReaderResult(
        paymentID: "P1", result: "SUCCESS", amount: 1250, card: CardDetails(type: "VISA", last4: "4242"))

    @Test("progress codes are passed on unchanged, and the outcome is recorded")
    func approved() async throws {
        let bench = try await Bench()
        let reader = ScriptedReader([
            .progress("SWIPE_DIP_OR_TAP_CARD"), .progress("CARD_TAPPED"), .progress("A_WORD_OF_NEXT_YEAR"),
            .completed(Self.paid),
        ])
        let done = try #require(try await bench.runner(reader).perform(bench.operation))
        #expect(done.state == .approved)
        #expect(done.outcome.paymentID == "P1")
        #expect(
            bench.events.words == [
                "created", "sent", "SWIPE_DIP_OR_TAP_CARD", "CARD_TAPPED", "A_WORD_OF_NEXT_YEAR", "approved",
            ])
        let request = try #require(reader.received.first)
        #expect(request.amount == 1250)
        #expect(request.tipAmount == 200)
        #expect(request.externalPaymentID == bench.operation.externalID)
        #expect(request.idempotencyKey == bench.operation.idempotencyKey)
        #expect(try await bench.journal.operation(done.id) == done)
    }

    struct Ending: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let events: [ReaderEvent]
        var list = #"{"elements":[]}"#
        let state: OperationState
    }

    private static let listed =
        #"{"elements":[{"id":"P2","externalPaymentId":"EXTERNAL","amount":1250,"result":"SUCCESS"}]}"#

    @Test(
        "what the end of a reader's events proves, and what it does not",
        arguments: [
            Ending(
                testDescription: "the bank declined", events: [.failed(code: "CARD_ERROR", message: nil)],
                state: .declined),
            Ending(testDescription: "cancelled on the reader", events: [.cancelled], state: .cancelled),
            Ending(
                testDescription: "cancelled on the reader, and the service has it", events: [.cancelled], list: listed,
                state: .approved),
            Ending(
                testDescription: "declined, and then approved",
                events: [.failed(code: "CARD_ERROR", message: nil), .completed(paid)], state: .approved),
            Ending(
                testDescription: "another payment than the charge's",
                events: [
                    .completed(ReaderResult(paymentID: "P1", result: "SUCCESS", amount: 1250, externalID: "OTHER"))
                ],
                state: .unknown),
            Ending(
                testDescription: "more than was asked for",
                events: [.completed(ReaderResult(paymentID: "P1", result: "SUCCESS", amount: 9999))], state: .unknown),
            Ending(
                testDescription: "another currency",
                events: [
                    .completed(ReaderResult(paymentID: "P1", result: "SUCCESS", amount: 1250, currency: "EUR"))
                ], state: .unknown),
            Ending(
                testDescription: "another tip",
                events: [.completed(ReaderResult(paymentID: "P1", result: "SUCCESS", amount: 1250, tip: 100))],
                state: .unknown),
            Ending(
                testDescription: "only held",
                events: [
                    .completed(ReaderResult(paymentID: "P1", result: "SUCCESS", amount: 1250, isCaptured: false))
                ], state: .unknown),
            Ending(
                testDescription: "not final",
                events: [.completed(ReaderResult(paymentID: "P1", result: "SUCCESS", amount: 1250, isFinal: false))],
                state: .unknown),
            Ending(
                testDescription: "lost before a card",
                events: [.progress("SWIPE_DIP_OR_TAP_CARD"), .failed(code: "COMMUNICATION_ERROR", message: nil)],
                state: .failed),
            Ending(
                testDescription: "lost after a card",
                events: [.progress("CARD_TAPPED"), .failed(code: "COMMUNICATION_ERROR", message: nil)],
                state: .unknown),
            Ending(
                testDescription: "lost after a card, and the service has it",
                events: [.progress("CARD_TAPPED"), .failed(code: "COMMUNICATION_ERROR", message: nil)],
                list: listed, state: .approved),
            Ending(testDescription: "silence", events: [.progress("CARD_TAPPED")], state: .unknown),
            Ending(testDescription: "silence, and the service has it", events: [], list: listed, state: .approved),
            Ending(
                testDescription: "the service has others only", events: [],
                list: #"{"elements":[{"id":"P3","externalPaymentId":"OTHER","amount":1250,"result":"SUCCESS"}]}"#,
                state: .unknown),
            Ending(
                testDescription: "a result that is neither",
                events: [.completed(ReaderResult(paymentID: "P1", result: "PENDING", amount: 1250))], state: .unknown),
        ])
    func endings(_ row: Ending) async throws {
        let bench = try await Bench()
        let done = try await bench.runner(ScriptedReader(row.events), list: row.list).perform(bench.operation)
        #expect(done?.state == row.state)
        #expect(try await bench.journal.operation(bench.operation.id)?.state == row.state)
    }

    @Test("stopping before the card is presented cancels on the reader")
    func stopped() async throws {
        let bench = try await Bench()
        let reader = ScriptedReader([.progress("SWIPE_DIP_OR_TAP_CARD")], waitsForCancel: true)
        let runner = try bench.runner(reader)
        async let done = runner.perform(bench.operation)
        while !bench.events.words.contains("SWIPE_DIP_OR_TAP_CARD") { try await Task.sleep(for: .milliseconds(5)) }
        bench.stop.turnOn()
        #expect(try await done?.state == .cancelled)
        #expect(bench.events.words.contains("cancelling"))
    }

    @Test("a charge with a timeout is cancelled if no card was presented, and continues if one was")
    func timeout() async throws {
        for (word, state) in [("SWIPE_DIP_OR_TAP_CARD", OperationState.cancelled), ("CARD_TAPPED", .approved)] {
            let bench = try await Bench(timeout: 30)
            let isCardShown = word == "CARD_TAPPED"
            let reader = ScriptedReader(
                [.progress(word)] + (isCardShown ? [.completed(Self.paid)] : []), waitsForCancel: !isCardShown)
            // The time is over when the progress code was reported.
            let runner = try bench.runner(reader) { seconds in
                // After the card, the payment has the default limit.
                guard seconds == 30 else { return try await Task.sleep(for: .seconds(seconds)) }
                while !bench.events.words.contains(word) { try await Task.sleep(for: .milliseconds(2)) }
                try Task.checkCancellation()
            }
            #expect(try await runner.perform(bench.operation)?.state == state)
            #expect(bench.events.words.contains("cancelling") == !isCardShown)
        }
    }

    @Test("an approval that breaks the protocol names its payment, which a driver without it does not deny")
    func unusableApproval() async throws {
        let bench = try await Bench()
        let reader = ScriptedReader([], failure: ReaderFailure(reason: "it broke the protocol", payment: "P9"))
        let done = try await bench.runner(reader).perform(bench.operation)
        #expect(done?.state == .unknown)
        #expect(done?.outcome.candidates == ["P9"])
        #expect(done?.outcome.reason == "it broke the protocol")
        let later = Verdict(on: try #require(done), [.absentFromDriver])
        #expect(!later.isKnown)
    }

    @Test("stopping before the charge was sent sends nothing")
    func stoppedEarly() async throws {
        let bench = try await Bench()
        bench.stop.turnOn()
        let reader = ScriptedReader([.completed(Self.paid)])
        #expect(try await bench.runner(reader).perform(bench.operation)?.state == .cancelled)
        #expect(reader.received.isEmpty)
    }

    @Test("a charge whose first event cannot be shown is not sent, and can be made under its key")
    func notAnnounced() async throws {
        struct Full: Error {}
        let bench = try await Bench()
        let reader = ScriptedReader([.completed(Self.paid)])
        let runner = try bench.runner(
            reader,
            onEvent: { [stop = bench.stop] event in
                if case .created = event { stop.couldNotAnnounce(Full()) }
            })
        await #expect {
            try await runner.perform(bench.operation)
        } throws: { error in
            let cause = (error as? OperationRunner.NotCarriedOut)?.cause
            return (cause as? ChargeCanceller.Unannounced)?.cause is Full
        }
        #expect(reader.received.isEmpty)
        let left = try #require(try await bench.journal.operation(bench.operation.id))
        #expect(left.state == .cancelled && left.isNeverSent)
        #expect(left.outcome.reason == "it could not be announced before it was sent")
    }

    @Test("a run that is stopped says of its key only what the records show", arguments: [false, true])
    func stoppedWithKey(_ isRead: Bool) async throws {
        let bench = try await Bench(key: "order-1")
        bench.stop.turnOn()
        let reader = ScriptedReader([.completed(Self.paid)])
        let runner = try bench.runner(reader, list: isRead ? #"{"elements":[]}"# : "no JSON")
        do {
            let left = try await runner.perform(bench.operation)
            #expect(isRead && left?.state == .cancelled, "\(left as Any)")
        } catch let error as OperationRunner.NotCarriedOut {
            #expect(!isRead && error.cause is OperationRunner.Unchecked && error.operation.state == .unknown)
        }
        #expect(reader.received.isEmpty)
        #expect(try await bench.journal.unsettled().count == (isRead ? 0 : 1))
        #expect(try await bench.journal.operation(bench.operation.id)?.isNeverSent == true)
    }

    @Test("a charge under a key of the user's own that a crash left unsent stays open until its key can be checked")
    func unsentWithKey() async throws {
        let bench = try await Bench(key: "order-1")
        _ = try await bench.journal.add(bench.operation)
        func recovered(_ list: String) async throws -> PaymentOperation? {
            try await Recovery(runner: bench.runner(nil, list: list)).recover(bench.operation.id, waiting: 0)
        }
        for _ in 1...2 {
            let open = try await recovered("no JSON")
            #expect(open?.state == .unknown && open?.isNeverSent == true, "\(open as Any)")
            #expect(open?.outcome.reason?.contains("whether its key was charged before is not known") == true)
        }
        #expect(try await bench.journal.unsettled().map(\.id) == [bench.operation.id])
        let found = try await recovered(Self.listed)
        #expect(found?.state == .approved && found?.outcome.paymentID == "P2", "\(found as Any)")
    }

    @Test(
        "a request finds its operation recorded as sent before its first byte leaves",
        arguments: [PaymentRail.payDisplay, .ecommerce])
    func sentBeforeFirstByte(_ rail: PaymentRail) async throws {
        let bench = try await Bench()
        let witness = WitnessTransport(bench.state)
        let operation = try ChargePlan(rail: rail, amount: Money(minorUnits: 1250, currency: .usDollar))
            .operation(environment: "us", merchantID: "M", now: 1000)
        let ended = try await bench.runner(nil, transport: witness).perform(operation, source: .token(Secret("clv_1T")))
        #expect(ended?.state == .unknown)
        #expect(witness.seen.first == .sent && Set(witness.seen) == [.sent])
    }

    @Test("a partial approval whose lock another process keeps stays uncertain, and is given back later")
    func lockedPart() async throws {
        let bench = try await Bench()
        var outcome = OperationOutcome()
        outcome.paymentID = "P1"
        outcome.amount = 600
        let plan = ChargePlan(rail: .payDisplay, amount: Money(minorUnits: 1250, currency: .usDollar))
        let charge = try plan.operation(environment: "us", merchantID: "M", now: 1000)
        var lock = try await bench.journal.add(charge)
        let part = charge.settled(.approved, outcome)
        let recovery = Recovery(runner: try bench.runner(nil))
        #expect(try await recovery.reversePartialApproval(part) == .unknown)
        #expect(bench.events.words == ["skipped"])
        bench.stop.endRequests(after: 1)
        #expect(try await recovery.reversePartialApproval(part) == .unknown)
        withExtendedLifetime(lock) {}
        lock = nil
        // The void of a run that was killed before it sent it.
        _ = try await bench.journal.add(FollowUpPlan(.void).operation(on: part, after: [], now: 1000))
        #expect(try await recovery.reversePartialApproval(part) != nil)
        let voids = try await bench.journal.followUps(of: charge.id)
        #expect(voids.map(\.kind) == [.void, .void] && voids[0].state == .failed && voids[1].state != .created)
    }

    @Test("an outcome that cannot be recorded is still reported, and recovery finds it")
    func endNotWritten() async throws {
        let bench = try await Bench()
        // SQLite cannot make its rollback journal where a directory is.
        let obstacle = bench.state.path + "/journal.sqlite-journal"
        let reader = ScriptedReader([.completed(Self.paid)], beforeEnd: { mkdir(obstacle, 0o700) })
        await #expect(throws: OperationRunner.Unrecorded.self) {
            try await bench.runner(reader).perform(bench.operation)
        }
        #expect(bench.events.words.last == "approved")
        #expect(rmdir(obstacle) == 0)
        #expect(try await bench.journal.operation(bench.operation.id)?.state == .sent)
        let runner = try bench.runner(nil, list: Self.listed)
        let recovered = try await Recovery(runner: runner).recover(bench.operation.id, waiting: 0)
        #expect(recovered?.state == .approved)
        #expect(recovered?.outcome.paymentID == "P2")
    }

    @Test("an unsent charge is settled as such; one that the service lacks stays unknown at any age")
    func recovery() async throws {
        let bench = try await Bench()
        _ = try await bench.journal.add(bench.operation)
        let settled = try await Recovery(runner: bench.runner(nil)).recover(bench.operation.id, waiting: 0)
        #expect(settled?.state == .failed)
        #expect(settled?.outcome.reason == "it was never sent: the program ended first")
        #expect(settled?.outcome.isProvisional == nil)

        // Records that could not be read are read again later.
        let unread = try await Bench()
        _ = try await unread.journal.add(unread.operation)
        let ended = try await Recovery(runner: unread.runner(nil, list: "no JSON"))
            .recover(unread.operation.id, waiting: 0)
        #expect(ended?.state == .failed && ended?.outcome.isProvisional == true)
        #expect(try await unread.journal.doubtful(since: 0, now: 2000).map(\.id) == [unread.operation.id])

        // A journal that was restored from a backup is older than the payment.
        let restored = try await Bench()
        _ = try await restored.journal.add(restored.operation)
        let found = try await Recovery(runner: restored.runner(nil, list: Self.listed))
            .recover(restored.operation.id, waiting: 0)
        #expect(found?.state == .approved)

        let other = try await Bench()
        _ = try await other.journal.add(other.operation)
        _ = try await other.journal.advance(other.operation.id, to: .sent, now: 1000)
        for age: Int64 in [0, 661_000, 30 * 24 * 60 * 60 * 1000] {
            let runner = try other.runner(nil, now: 1000 + age)
            #expect(try await Recovery(runner: runner).recover(other.operation.id, waiting: 0)?.state == .unknown)
        }
        let later = try other.runner(nil, list: Self.listed, now: 3000)
        #expect(try await Recovery(runner: later).recover(other.operation.id, waiting: 0)?.state == .approved)
    }

    @Test("that a driver has no payment is no proof on a machine that did not make the charge")
    func otherMachine() async throws {
        struct EmptyRecord: ReaderChargeLookup {
            func recall(externalID: String, driver: String?) async -> ReaderChargeStatus? { .noPayment }
        }
        for (machine, state) in [(nil, OperationState.failed), ("another", .unknown)] {
            let bench = try await Bench()
            var request = bench.operation.request
            request.machine = machine
            let operation = PaymentOperation(
                id: bench.operation.id, kind: .charge, rail: .reader, environment: "us", merchantID: "M",
                idempotencyKey: bench.operation.idempotencyKey, externalID: bench.operation.externalID,
                amount: bench.operation.amount, request: request, now: 1000)
            _ = try await bench.journal.add(operation)
            _ = try await bench.journal.advance(operation.id, to: .sent, now: 1000)
            var runner = try bench.runner(nil)
            runner.recollection = EmptyRecord()
            #expect(try await Recovery(runner: runner).recover(operation.id, waiting: 0)?.state == state)
        }
    }
}

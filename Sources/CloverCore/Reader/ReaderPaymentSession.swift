package import CloverAPI
import CloverConfiguration
import CloverJSON
package import CloverPayments
import CloverReaders

/// A connected reader that takes one payment.
package struct ReaderPaymentSession: PaymentReader {
    private let session: any CardSession
    private let held: LockedReaderSession
    private let environment: CommandEnvironment

    private static let command = "charge"
    /// Events buffered for a slow consumer. The newest are kept, so that the outcome is never dropped.
    private static let bufferedEvents = 256

    /// Connects the reader with this id or name, or the most recently connected one, and waits until it is ready.
    ///
    /// - Parameters:
    ///   - drivers: a driver given by flag overrides the reader's last transport.
    ///   - isPreview: connect to no reader, because nothing will be charged.
    /// - Throws: `ReaderError`, before anything was charged.
    package static func choose(
        _ id: String?, _ drivers: ReaderDriverChoice, _ connection: ConnectionChoice, isPreview: Bool,
        in environment: CommandEnvironment
    ) async throws -> PaymentReaderChoice {
        var connecting = ReaderConnection(connection: connection)
        connecting.reader = id
        connecting.drivers = drivers
        let driver = try await connecting.drivers.driverText(in: environment)
        var target: Reader
        do {
            target = try await connecting.target(in: environment)
        } catch ReaderError.noPreviousReader where driver == nil {
            return .none
        }
        if drivers.driver != nil { target = Reader(id: target.id, transport: .driver) }
        guard target.transport == .driver else { return .incapable(driver: target.transport.rawValue) }
        guard let driver else { return .none }
        if isPreview { return .none }
        let held = try await connecting.begin(target, command: command, in: environment)
        do {
            guard let session = held.session as? any CardSession, session.takesPayments else {
                await held.end()
                return .incapable(driver: driver)
            }
            _ = try await held.prepare { report in
                environment.diagnostics.detail(String(report.text(isColored: false).dropLast()))
            }
            return .reader(ReaderPaymentSession(session: session, held: held, environment: environment))
        } catch {
            await held.end()
            throw error
        }
    }

    package func charge(
        _ request: ReaderCharge, until end: WaitCanceller
    ) -> AsyncThrowingStream<CloverPayments.ReaderEvent, any Error> {
        let charge = Self.charge(request)
        let (stream, events) = AsyncThrowingStream<CloverPayments.ReaderEvent, any Error>.makeStream(
            bufferingPolicy: .bufferingNewest(Self.bufferedEvents))
        // Ends with the payment. The consumer of the stream waits for its end.
        Task {
            do {
                let outcome = try await end.during { [session] in
                    try await session.charge(charge) { events.yield(.progress($0)) }
                }
                let event = Self.event(outcome)
                if let event { events.yield(event) }
                await held.end()
                guard event == nil, case .unknown(let message) = outcome else { return events.finish() }
                events.finish(throwing: ReaderFailure(reason: Self.unknown(message)))
            } catch ReaderError.driver(.refused(_, let code, let message), _) {
                // With a refusal, the driver guarantees that nothing was or will be charged.
                events.yield(.failed(code: code, message: message))
                await held.end()
                events.finish()
            } catch {
                let reason =
                    switch error {
                    case let error as ReaderError: error.message
                    case is CancellationError where end.reason != nil:
                        "--max-time ran out before the reader reported the outcome"
                    default: "the reader failed: \(error)"
                    }
                await held.end()
                var payment: String?
                if case ReaderError.driver(.unusableApproval(_, let id), _) = error { payment = id }
                events.finish(throwing: ReaderFailure(reason: reason, payment: payment))
            }
        }
        return stream
    }

    /// The request to the driver, as a line of JSON: `{"reader":...,"driver":...,"request":{...}}`.
    package static func preview(_ operation: PaymentOperation) throws -> String {
        var line = JSONLine()
        line.add("reader", operation.request.reader)
        line.add("driver", operation.request.driver)
        line.add("request", json: try charge(ReaderCharge(operation)).driverRequest())
        return line.text
    }

    private static func charge(_ request: ReaderCharge) -> CardCharge {
        CardCharge(
            idempotencyKey: request.idempotencyKey, externalPaymentID: request.externalPaymentID,
            externalReferenceID: request.externalReferenceID, amount: request.amount, currency: request.currency,
            isFinal: request.isFinal, capture: request.isCaptured, tipAmount: request.tipAmount,
            taxAmount: request.taxAmount, acceptsPartial: request.acceptsPartial)
    }

    package func cancel() async {
        do {
            try await session.cancelCharge()
        } catch {
            environment.diagnostics.notice("cannot ask the reader to cancel: \(error)")
        }
    }

    /// The event of an outcome; nil if the outcome is unknown.
    static func event(_ outcome: CardOutcome) -> CloverPayments.ReaderEvent? {
        switch outcome {
        case .approved(let payment):
            let card = payment.card.map {
                CloverPayments.CardDetails(type: $0.type, first6: $0.first6, last4: $0.last4, entry: $0.entryType)
            }
            return .completed(
                ReaderResult(
                    paymentID: payment.id, orderID: payment.orderID, result: payment.isCaptured ? "SUCCESS" : "AUTH",
                    amount: payment.amount, tip: payment.tipAmount, card: card, authCode: payment.authCode,
                    externalID: payment.externalPaymentID, currency: payment.currency,
                    isCaptured: payment.isCaptured, isFinal: payment.isFinal))
        case .declined(let code, let message, _):
            // The card was certainly not charged, whatever the driver's code. A code that is not known as a card refusal is
            // reported as a plain one, with the code in its message.
            if PaymentErrorCode.meaning(of: code)?.cause == .card { return .failed(code: code, message: message) }
            let text = message.isEmpty ? code : "\(message) (\(code))"
            return .failed(code: "card_declined", message: text)
        case .cancelled: return .cancelled
        case .unknown: return nil
        }
    }

    /// What an unknown outcome with this message means.
    static func unknown(_ message: String) -> String {
        "the reader does not know whether money was taken" + (message.isEmpty ? "" : ": \(message)")
    }
}

/// The reader, if any, that can take a payment.
package enum PaymentReaderChoice: Sendable {
    case none
    /// A reader whose driver, named here, cannot take payments.
    case incapable(driver: String)
    case reader(any PaymentReader)
}

/// Looks up the outcome of payments with a driver program: the one named by flag, or else the one that made the payment, or
/// else the configured one.
package struct DriverChargeLookup: ReaderChargeLookup {
    private let named: ReaderDriverChoice
    private let configured: String?
    private let environment: CommandEnvironment

    /// Advice for the case that no driver's response is proof.
    private static let advice = "look it up in the merchant's dashboard"

    /// - Parameter named: the driver named by flag, which takes precedence.
    package init(
        _ named: ReaderDriverChoice = ReaderDriverChoice(), _ connection: Connection,
        in environment: CommandEnvironment
    ) throws {
        self.named = named
        configured = try connection.settings.text(.readerDriver)
        self.environment = environment
    }

    package func recall(externalID: String, driver: String?) async -> ReaderChargeStatus? {
        var choice = named
        choice.driver = named.driver ?? driver ?? configured
        guard choice.driver != nil else { return nil }
        do {
            switch try await choice.external(in: environment).payment(externalID: externalID) {
            case .notFound where choice.driver == driver: return .noPayment
            case .notFound:
                return .unclear(
                    "it has no such payment, but is not the driver that made the charge; " + Self.advice)
            case .notRemembered:
                return .unclear(
                    "it has no such payment, but keeps no permanent record (the capability 'recall'); " + Self.advice)
            case .underWay: return .underWay
            case .ended(let outcome):
                if let event = ReaderPaymentSession.event(outcome) { return .ended(event) }
                guard case .unknown(let message) = outcome, !message.isEmpty else {
                    return .unclear("it does not know the outcome")
                }
                return .unclear("it does not know the outcome: \(message)")
            }
        } catch let error as ReaderError {
            return .unclear(error.message)
        } catch is CancellationError {
            return .unclear("it did not respond before --max-time ran out")
        } catch ReaderFault.malformedDriver {
            return .unclear("'\(choice.driver ?? "")' is not a command")
        } catch {
            return .unclear("it could not be queried")
        }
    }
}

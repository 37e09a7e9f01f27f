import CloverPayments
import CloverReaders

/// A connected reader that takes one payment.
struct ReaderTill: PaymentReader {
    private let session: any CardSession
    private let held: HeldSession
    private let environment: CommandEnvironment

    /// How other processes see what this one does.
    private static let command = "charge"
    /// Words that are kept for a reader who is busy; the end of a payment is the last of them.
    private static let heldWords = 256

    /// The reader with this id or name, or the last connected one; connected and ready.
    /// - Parameters:
    ///   - drivers: a driver that is named there is what is meant, however the reader was reached before.
    ///   - isPreview: nothing is connected when nothing will be charged.
    /// - Throws: `ReaderError`, before anything was charged.
    static func choose(
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
                await held.end(in: environment)
                return .incapable(driver: driver)
            }
            _ = try await connecting.prepare(held, in: environment) { report in
                environment.diagnostics.detail(String(report.text(isColored: false).dropLast()))
            }
            return .reader(ReaderTill(session: session, held: held, environment: environment))
        } catch {
            await held.end(in: environment)
            throw error
        }
    }

    func charge(_ request: ReaderCharge) -> AsyncThrowingStream<CloverPayments.ReaderEvent, any Error> {
        let charge = Self.charge(request)
        let (stream, events) = AsyncThrowingStream<CloverPayments.ReaderEvent, any Error>.makeStream(
            bufferingPolicy: .bufferingNewest(Self.heldWords))
        // Ends with the payment; whoever reads the stream waits for its end.
        Task {
            do {
                let outcome = try await session.charge(charge) { events.yield(.progress($0)) }
                if let event = Self.event(outcome) { events.yield(event) }
                await held.end(in: environment)
                events.finish()
            } catch ReaderError.driver(.refused(_, let code, let message), _) {
                // The driver's word that nothing was charged, and nothing will be.
                events.yield(.failed(code: code, message: message))
                await held.end(in: environment)
                events.finish()
            } catch {
                environment.diagnostics.notice(
                    (error as? ReaderError).map(ReaderErrorText.message) ?? "the reader failed: \(error)")
                await held.end(in: environment)
                events.finish(throwing: error)
            }
        }
        return stream
    }

    /// What the driver would be asked, as a line of JSON: `{"reader":...,"driver":...,"request":{...}}`.
    static func preview(_ operation: PaymentOperation) throws -> String {
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

    func cancel() async {
        do {
            try await session.cancelCharge()
        } catch {
            environment.diagnostics.notice("the reader cannot be asked to cancel: \(error)")
        }
    }

    /// Nil for an end that nobody knows.
    static func event(_ outcome: CardOutcome) -> CloverPayments.ReaderEvent? {
        switch outcome {
        case .approved(let payment):
            let card = payment.card.map {
                CloverPayments.CardFacts(type: $0.type, first6: $0.first6, last4: $0.last4, entry: $0.entryType)
            }
            return .completed(
                ReaderResult(
                    paymentID: payment.id, orderID: payment.orderID, result: payment.isCaptured ? "SUCCESS" : "AUTH",
                    amount: payment.amount, tip: payment.tipAmount, card: card, authCode: payment.authCode,
                    externalID: payment.externalPaymentID, currency: payment.currency,
                    isCaptured: payment.isCaptured))
        case .declined(let code, let message, _):
            // Whatever the driver's word for it is, it is certain that the card was not charged: a word that is not
            // known to mean that counts as a plain refusal, and is told beside it.
            if RefusalCode.meaning(of: code)?.cause == .card { return .failed(code: code, message: message) }
            let text = message.isEmpty ? code : "\(message) (\(code))"
            return .failed(code: "card_declined", message: text)
        case .cancelled: return .cancelled
        case .unknown: return nil
        }
    }
}

import CloverAuth
import CloverCalendar
import CloverCore
import CloverJSON
import CloverOutput
import CloverPayments

/// `clover charge list` and `show`: charges as the journal records them.
struct ChargeReport: Sendable {
    let charge: PaymentOperation
    let followUps: [PaymentOperation]
    private let transitions: [OperationTransition]
    /// When the report was made, in milliseconds since 1970.
    private let now: Int64
    /// The service's view of the charge, for `--check`.
    private(set) var service: ChargeServiceStatus?

    var facts: ChargeTotals { ChargeTotals(charge, followUps) }

    /// Charges, newest first.
    ///
    /// - Parameter times: when they were made, in milliseconds since 1970; nil for any time.
    static func all(
        limit: Int, state: OperationState?, times: Range<Int64>? = nil, in environment: CommandEnvironment
    ) async throws -> [ChargeReport] {
        guard let journal = try await environment.existingJournal() else { return [] }
        var reports: [ChargeReport] = []
        for charge in try await journal.charges(limit: limit, state: state, times: times) {
            let followUps = try await journal.followUps(of: charge.id)
            reports.append(
                ChargeReport(
                    charge: charge, followUps: followUps, transitions: [], now: environment.clock.wall()))
        }
        return reports
    }

    /// One charge by its id or by the id of one of its operations.
    ///
    /// - Parameter checking: the connection for querying the service; nil sends no request.
    static func one(
        _ id: String, checking: ConnectionChoice?, in environment: CommandEnvironment
    ) async throws -> ChargeReport {
        guard let journal = try await environment.existingJournal(), let found = try await journal.operation(named: id)
        else {
            throw PaymentPlanError.unknownOperation(id)
        }
        guard let charge = try await journal.operation(found.parent ?? found.id) else {
            throw JournalError.missing(id: id)
        }
        var report = ChargeReport(
            charge: charge, followUps: try await journal.followUps(of: charge.id),
            transitions: try await journal.transitions(of: charge.id), now: environment.clock.wall())
        if let checking {
            let payment = try await PaymentConnection.resolve(for: charge, checking, in: environment)
            report.service = try await ChargeServiceStatus(
                of: charge, after: report.followUps, in: journal, payment.client,
                try await environment.pageReports(of: charge), now: environment.clock.wall())
        }
        return report
    }

    private init(
        charge: PaymentOperation, followUps: [PaymentOperation], transitions: [OperationTransition], now: Int64
    ) {
        self.now = now
        self.charge = charge
        self.followUps = followUps
        self.transitions = transitions
    }

    /// The merchant in whose time zone times are shown: that of the newest charge, unless `choice` names one.
    static func merchant(
        of reports: [ChargeReport], _ choice: ConnectionChoice, in environment: CommandEnvironment
    ) -> ConnectionChoice {
        reports.first { !$0.charge.merchantID.isEmpty }.map { choice.meaning($0.charge, in: environment) } ?? choice
    }

    /// Throws what `--check` could not ask for, or what it found of a page that is not as it was recorded.
    func checkEnding() throws {
        if let obstacle = service?.obstacle { throw ChargeFailure.unasked(obstacle) }
        // One that a person recorded as not paid is shown as that.
        guard let verdict = service?.verdict, verdict.status != 0, verdict.finding != .asRecorded else { return }
        if verdict.isAgainstEntry { throw ChargeFailure.contradicted(charge) }
        throw CheckoutError.found(id: charge.id, verdict)
    }

    /// The report as one JSON object.
    var json: String {
        var line = OperationJSON.row(charge, facts, status: facts.word(charge, now: now))
        if !transitions.isEmpty {
            line.add("transitions", json: "[" + transitions.map(OperationJSON.transition).joined(separator: ",") + "]")
            let operations = followUps.map { OperationJSON.followUp($0, of: charge) }
            line.add("operations", json: "[" + operations.joined(separator: ",") + "]")
        }
        if let service { line.add("service", json: service.json) }
        return line.text
    }

    /// The cells of a table row, as in ``head``.
    func cells(_ times: DisplayedTimes) -> [String] {
        let card = [charge.outcome.card?.type, charge.outcome.card?.last4].compactMap(\.self).joined(separator: " ")
        return [
            charge.id, facts.word(charge, now: now), charge.asked?.signedText ?? charge.amountText ?? "",
            times.text(milliseconds: charge.createdAt), card, charge.outcome.paymentID ?? "",
            // The word of the option.
            charge.rail.hasDevice ? "device" : charge.rail.rawValue,
        ]
    }

    /// What a narrow terminal has no room for is at the end. An amount without its state could be taken for money that moved.
    static let head = ["CHARGE", "STATUS", "AMOUNT", "CREATED", "CARD", "PAYMENT", "RAIL"]

    /// The table's header and rows. If any charge is a Square hand-off, a column is added with the `state` value that each
    /// hand-off sends and that its response repeats.
    static func table(
        _ reports: [ChargeReport], _ times: DisplayedTimes
    ) -> (head: [String], rows: [[String]]) {
        guard reports.contains(where: { $0.handOffState != nil }) else {
            return (head, reports.map { $0.cells(times) })
        }
        return (head + ["SQUARE STATE"], reports.map { $0.cells(times) + [$0.handOffState ?? ""] })
    }

    private var handOffState: String? { charge.rail.isHandedOff ? charge.externalID : nil }

    /// The report as printable lines without line breaks.
    func lines(_ times: DisplayedTimes) -> [String] {
        var lines = zip(Self.head, cells(times)).map { "\($0.lowercased()): \($1)" }
        if charge.state == .approved, let currency = charge.amount?.currency {
            let parts: [(name: String, minorUnits: Int64)] = [
                ("tip", facts.tip ?? 0), ("captured", facts.type == .preauth ? facts.captured : 0),
                ("refunded", facts.refunded),
            ]
            for part in parts where part.minorUnits > 0 {
                lines.append("\(part.name): \(Money(minorUnits: part.minorUnits, currency: currency).signedText)")
            }
        }
        if let handOffState { lines.append("square state: \(handOffState)") }
        if let payment = charge.outcome.clientPaymentID { lines.append("client transaction: \(payment)") }
        if let customer = charge.request.customer { lines.append("customer: \(customer)") }
        lines.append("key: \(charge.idempotencyKey)")
        if let reason = charge.outcome.reason { lines.append("reason: \(reason)") }
        if let words = charge.wordsElsewhere { lines.append("elsewhere: \(words)") }
        if let contradiction = charge.outcome.contradiction { lines.append("contradiction: \(contradiction)") }
        if let code = charge.outcome.code {
            lines.append("code: \(code)" + (PaymentErrorCode.meaning(of: code).map { " (\($0.words))" } ?? ""))
        }
        for change in transitions {
            lines.append(
                "  \(times.exactText(milliseconds: change.at))  \(change.state.rawValue)"
                    + (change.detail.map { "  \($0)" } ?? ""))
        }
        for operation in followUps {
            let tip = charge.amount.flatMap { asked in
                operation.request.tip.map { Money(minorUnits: $0, currency: asked.currency) }
            }
            lines.append(
                "  \(operation.id)  \(operation.kind.rawValue)  \(operation.state.rawValue)"
                    + (operation.amount.map { "  \($0)" } ?? "")
                    + (tip.map { "  \(operation.kind == .tip ? "" : "tip ")\($0)" } ?? "")
                    + (operation.formerPayment(of: charge).map { "  of the payment \($0)" } ?? ""))
        }
        if let service { lines.append("service: \(service.text)") }
        return lines.map(Diagnostics.printable)
    }
}

extension ChargeReport {
    /// The columns of `charge list`; amounts are formatted in the row's currency.
    static func schema() throws(RecordFormatError) -> RecordSchema {
        let plain = [
            "charge", "createdAt", "state", "status", "currency", "type", "rail", "device", "payment", "order",
            "card.type", "card.last4", "code", "message", "reason", "idempotencyKey", "externalId", "environment",
            "merchant", "updatedAt",
        ]
        let money = ["amount", "tip", "approved", "captured", "refunded"]
        let shown = ["charge", "createdAt", "status", "amount", "card.last4", "rail", "payment"]
        let currency = try FieldPath.parsed("currency")
        var columns: [RecordColumn] = []
        for name in plain {
            let isTime = name == "createdAt" || name == "updatedAt"
            columns.append(RecordColumn(try FieldPath.parsed(name), kind: isTime ? .time(.text) : .plain))
            guard name == "status" else { continue }
            for name in money {
                columns.append(RecordColumn(try FieldPath.parsed(name), kind: .money(currency: currency)))
            }
        }
        var schema = RecordSchema(columns: columns, tableColumns: columns.filter { shown.contains($0.path.text) })
        schema.others = [
            "clientPayment", "customer", "capturedElsewhere", "refundedElsewhere", "releasedElsewhere", "settledBy",
            "contradiction", "transitions", "operations", "service",
        ]
        return schema
    }
}

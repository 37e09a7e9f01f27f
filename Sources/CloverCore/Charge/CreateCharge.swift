import CloverAPI
import CloverAuth
import CloverHTTP
package import CloverPayments
import CloverReaders
import CloverRecords

/// `clover charge`: written down, sent once, and settled as far as can be.
package struct CreateCharge: Sendable {
    package var plan: ChargePlan
    package var source: CardInput?
    package var connection: ConnectionChoice
    /// By which driver the reader is reached.
    package var drivers = ReaderDriverChoice()
    package var isDryRun = false
    /// Seconds to wait at most for what is not under way; nil waits as long as it takes.
    package var maximumTime: Double?
    package var isJSON = false
    package var isQuiet = false

    /// Where a card comes from.
    package enum CardInput: Sendable {
        case token(String)
        /// JSON on standard input, or questions on a terminal.
        case input
    }

    package init(plan: ChargePlan, connection: ConnectionChoice) {
        self.plan = plan
        self.connection = connection
    }

    private struct Ended: Sendable {
        var charge: PaymentOperation
        /// What took a part back that was not asked for.
        var void: PaymentOperation?
    }

    private static let inputLimit = 16 << 10

    /// The whole amount was approved, unless this throws.
    package func run(in environment: CommandEnvironment) async throws {
        let run = ChargeRun(isJSON: isJSON, isQuiet: isQuiet, maximumTime: maximumTime, in: environment)
        let payment = try await PaymentConnection.resolve(
            connection, waiting: plan.timeout ?? (plan.rail == .ecommerce ? 0 : ChargePlan.longestTimeout),
            in: environment)
        var plan = plan
        if plan.rail == .ecommerce, plan.clientAddress == nil { plan.clientAddress = LocalAddress.current() }
        try plan.check(environment: payment.environmentName)
        var drivers = drivers
        drivers.connection = connection
        if plan.rail == .reader { plan.driver = try await drivers.driverText(in: environment) }
        if plan.rail == .payDisplay { plan.posID = plan.posID ?? CloudDriver.usualPosID }
        let reader = try await reader(drivers, in: environment)
        let operation = try plan.operation(
            environment: payment.environmentName, merchantID: payment.merchantID, now: environment.clock.wall())
        if isDryRun { return try await preview(operation, payment, in: environment) }
        if plan.rail == .payDisplay, plan.deviceAddress == nil {
            try await check(payment, in: environment)
        }
        let source = try await cardSource(in: environment)
        let journal = try await environment.chargeJournal()
        let ended = try await run.run(journal, payment, reader: reader, drivers: drivers) { runner -> Ended in
            let charge =
                if let new = try await runner.perform(operation, source: source) {
                    new
                } else { try await Self.earlier(operation, source, runner) }
            return Ended(
                charge: charge, void: charge.isUnwantedPart ? try await Recovery(runner: runner).takeBack(charge) : nil)
        }
        if let void = ended.void {
            throw ChargeFailure.partialVoided(ended.charge, void: void.state)
        }
        try run.finish(ended.charge)
    }

    /// The key is in the journal: the same charge is settled and told, or done when nothing of it ever left; another one is
    /// refused.
    private static func earlier(
        _ operation: PaymentOperation, _ source: CardSource?, _ runner: OperationRunner
    ) async throws -> PaymentOperation {
        guard let earlier = try await runner.journal.operation(key: operation.idempotencyKey) else {
            throw JournalError.missing(id: operation.id)
        }
        guard earlier.kind == .charge, earlier.amount == operation.amount, earlier.rail == operation.rail,
            earlier.merchantID == operation.merchantID, earlier.environment == operation.environment,
            earlier.request.type == operation.request.type, earlier.request.tip == operation.request.tip
        else { throw PlanRefusal.keyInUse(id: earlier.id) }
        if earlier.isNeverSent, let done = try await runner.restart(earlier.id, as: operation, source: source) {
            return done
        }
        return try await Recovery(runner: runner).recover(earlier.id, waiting: true) ?? earlier
    }

    private func reader(
        _ drivers: ReaderDriverChoice, in environment: CommandEnvironment
    ) async throws -> (any PaymentReader)? {
        guard plan.rail == .reader else { return nil }
        switch try await ReaderTill.choose(plan.reader, drivers, connection, isPreview: isDryRun, in: environment) {
        case .reader(let reader): return reader
        case .incapable(let driver): throw PlanRefusal.readerCannotCharge(driver: driver)
        case .none where isDryRun: return nil
        case .none: throw PlanRefusal.readerCannotCharge(driver: nil)
        }
    }

    /// What can be known before anything is written down.
    private func check(_ payment: PaymentConnection, in environment: CommandEnvironment) async throws {
        let seconds = maximumTime
        try await TimeLimit.run(
            seconds: seconds, sleep: environment.sleep,
            timeRanOut: { MaximumTimeRanOut(seconds: seconds ?? 0) }
        ) {
            try await checkDevice(payment, in: environment)
            try await checkCurrency(payment, in: environment)
        }
    }

    /// A device of another merchant is refused before anything is written. A token that may not list devices proves
    /// nothing: the service will say.
    private func checkDevice(_ payment: PaymentConnection, in environment: CommandEnvironment) async throws {
        guard let serial = plan.device else { return }
        switch await DeviceList.has(serial, payment.client, merchantID: payment.merchantID) {
        case true: return
        case false:
            throw PlanRefusal.foreignDevice(
                serial: serial, merchantID: payment.merchantID, environment: payment.environmentName)
        case nil: environment.diagnostics.detail("the merchant's devices could not be listed; the service will judge")
        }
    }

    /// A payment on a device names no currency: it is the merchant's, whatever was typed. A token that may not read it
    /// proves nothing, which is said.
    private func checkCurrency(_ payment: PaymentConnection, in environment: CommandEnvironment) async throws {
        let facts = try await MerchantFacts.read(payment.service, merchantID: payment.merchantID)
        guard let currency = facts.defaultCurrency else {
            environment.diagnostics.notice(
                "the merchant's currency cannot be read; the device charges in it, and not by what --currency says")
            return
        }
        guard currency.uppercased() == plan.amount.currency.code else {
            throw PlanRefusal.otherCurrency(
                plan.amount.currency, merchantID: payment.merchantID, merchantCurrency: currency.uppercased())
        }
    }

    private func cardSource(in environment: CommandEnvironment) async throws -> CardSource? {
        switch source {
        case nil: return nil
        case .token(let token):
            environment.diagnostics.mask.hide(Secret(token))
            return .token(Secret(token))
        case .input:
            let card = try await CardPrompt.read(limit: Self.inputLimit, in: environment)
            environment.diagnostics.mask.hide(card.number)
            return .card(card)
        }
    }

    private func preview(
        _ operation: PaymentOperation, _ payment: PaymentConnection, in environment: CommandEnvironment
    ) async throws {
        let isText = environment.terminal.isOutputTerminal && !isJSON
        if operation.rail == .reader {
            let line = try ReaderTill.preview(operation)
            try await environment.standardOutput.write(Array((line + "\n").utf8))
            return
        }
        let request = try OperationPreview.request(operation, payment.client)
        let preview = RequestPreview(request: request, line: nil)
        try await environment.standardOutput.write(Array((isText ? preview.text : preview.json + "\n").utf8))
    }
}

import CloverAPI
import CloverAuth
import CloverHTTP
import CloverJSON
import CloverOutput
package import CloverPayments
import CloverReaders
import Glibc

/// `clover charge`: records a charge in the journal, sends it once, and settles it as far as possible.
package struct CreateCharge: Sendable {
    package var plan: ChargePlan
    package var source: CardInput?
    package var connection: ConnectionChoice
    /// The driver that connects to the reader.
    package var drivers = ReaderDriverChoice()
    package var isDryRun = false
    /// Time limit in seconds for waits; it never ends a request in flight. Nil for no limit.
    package var maximumTime: Double?
    package var isJSON = false
    package var isQuiet = false

    /// The source of a card.
    package enum CardInput: Sendable {
        case token(String)
        /// JSON from standard input, or prompts at a terminal.
        case input
    }

    package init(plan: ChargePlan, connection: ConnectionChoice) {
        self.plan = plan
        self.connection = connection
    }

    private struct Result: Sendable {
        var charge: PaymentOperation
        /// The void of a partial approval that was not allowed.
        var void: PaymentOperation?
    }

    /// Maximum size of card input, in bytes.
    private static let inputLimit = 16 << 10

    /// Returns if the whole amount was approved; throws otherwise.
    package func run(in environment: CommandEnvironment) async throws {
        let run = ChargeRun(isJSON: isJSON, isQuiet: isQuiet, maximumTime: maximumTime, in: environment)
        let payment = try await PaymentConnection.resolve(
            connection, waiting: plan.timeout ?? (plan.rail.waitsForCard ? ChargePlan.maximumTimeout : 0),
            in: environment)
        var plan = plan
        if plan.rail == .ecommerce, plan.clientAddress == nil { plan.clientAddress = LocalAddress.current() }
        try plan.check(environment: payment.environmentName)
        var drivers = drivers
        drivers.connection = connection
        if plan.rail == .reader { plan.driver = try await drivers.driverText(in: environment) }
        if plan.rail == .payDisplay { plan.posID = plan.posID ?? CloudDriver.defaultPOSID }
        let reader = try await reader(drivers, in: environment)
        let operation = try plan.operation(
            environment: payment.environmentName, merchantID: payment.merchantID, now: environment.clock.wall())
        if isDryRun { return try await preview(operation, payment, in: environment) }
        if plan.rail == .payDisplay, plan.deviceAddress == nil {
            try await check(payment, in: environment)
        }
        let source = try await cardSource(in: environment)
        let journal = try await environment.chargeJournal()
        let result = try await run.run(journal, payment, reader: reader, drivers: drivers) { runner -> Result in
            let charge =
                if let new = try await runner.perform(operation, source: source) {
                    new
                } else { try await Self.earlier(operation, source, runner) }
            return Result(
                charge: charge,
                void: charge.isUnwantedPartialApproval
                    ? try await Recovery(runner: runner).reversePartialApproval(charge) : nil)
        }
        try run.finish(result.charge, void: result.void)
    }

    /// Handles an idempotency key that the journal already has. The same charge is settled and reported, or carried out if
    /// no request for it was ever sent; a different charge is refused.
    private static func earlier(
        _ operation: PaymentOperation, _ source: CardSource?, _ runner: OperationRunner
    ) async throws -> PaymentOperation {
        guard let earlier = try await runner.journal.operation(key: operation.idempotencyKey) else {
            throw JournalError.missing(id: operation.id)
        }
        guard earlier.kind == .charge, earlier.amount == operation.amount, earlier.rail == operation.rail,
            earlier.merchantID == operation.merchantID, earlier.environment == operation.environment,
            earlier.request.type == operation.request.type, earlier.request.tip == operation.request.tip
        else { throw PaymentPlanError.keyInUse(id: earlier.id) }
        if earlier.isNeverSent, let done = try await runner.restart(earlier.id, as: operation, source: source) {
            return done
        }
        return try await Recovery(runner: runner).recover(earlier.id, waiting: true) ?? earlier
    }

    private func reader(
        _ drivers: ReaderDriverChoice, in environment: CommandEnvironment
    ) async throws -> (any PaymentReader)? {
        guard plan.rail == .reader else { return nil }
        switch try await ReaderPaymentSession.choose(
            plan.reader, drivers, connection, isPreview: isDryRun, in: environment)
        {
        case .reader(let reader): return reader
        case .incapable(let driver): throw PaymentPlanError.readerCannotCharge(driver: driver)
        case .none where isDryRun: return nil
        case .none: throw PaymentPlanError.readerCannotCharge(driver: nil)
        }
    }

    /// Checks the device and the currency before anything is recorded.
    private func check(_ payment: PaymentConnection, in environment: CommandEnvironment) async throws {
        let seconds = maximumTime
        try await TimeLimit.run(
            seconds: seconds, sleep: environment.sleep,
            timeRanOut: { MaxTimeExceeded(seconds: seconds ?? 0) }
        ) {
            try await checkDevice(payment, in: environment)
            try await checkCurrency(payment, in: environment)
        }
    }

    /// Refuses a device of another merchant. If the token may not list devices, the check is left to the service.
    private func checkDevice(_ payment: PaymentConnection, in environment: CommandEnvironment) async throws {
        guard let serial = plan.device else { return }
        switch await DeviceList.has(serial, payment.client, merchantID: payment.merchantID) {
        case true: return
        case false:
            throw PaymentPlanError.foreignDevice(
                serial: serial, merchantID: payment.merchantID, environment: payment.environmentName)
        case nil:
            environment.diagnostics.detail("cannot list the merchant's devices; leaving the check to the service")
        }
    }

    /// Refuses a currency other than the merchant's: a payment on a device names no currency and is always in the
    /// merchant's. If the token may not read the currency, a notice says so.
    private func checkCurrency(_ payment: PaymentConnection, in environment: CommandEnvironment) async throws {
        let facts = try await MerchantSettings.read(payment.service, merchantID: payment.merchantID)
        guard let currency = facts.defaultCurrency else {
            environment.diagnostics.notice(
                "cannot read the merchant's currency; the device charges in that currency and ignores --currency")
            return
        }
        guard currency.uppercased() == plan.amount.currency.code else {
            throw PaymentPlanError.otherCurrency(
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
            let line = try ReaderPaymentSession.preview(operation)
            try await environment.standardOutput.write(Array((line + "\n").utf8))
            return
        }
        let request = try OperationPreview.request(operation, payment.client)
        let preview = RequestPreview(request: request, line: nil)
        try await environment.standardOutput.write(Array((isText ? preview.text : preview.json + "\n").utf8))
    }
}

/// Reads a card: as JSON from standard input or, at a terminal, with prompts that do not echo.
enum CardPrompt {
    static func read(limit: Int, in environment: CommandEnvironment) async throws -> CardData {
        guard environment.terminal.isInputTerminal, environment.terminal.isErrorTerminal else {
            return try CardData(json: try environment.readStandardInput(limit))
        }
        func ask(_ question: String) async throws -> String {
            let diagnostics = environment.diagnostics
            guard let bytes = try await environment.readHiddenLine(limit, { diagnostics.request(question) }) else {
                throw TypedCardFault.card(.absent)
            }
            let line = String(decoding: bytes, as: UTF8.self)
            return String(line.filter { !$0.isWhitespace })
        }
        let number = try await ask("card number (not shown):")
        let expiry = try await ask("expiration date, such as 12/30 (not shown):")
        let code = try await ask("security code (not shown):")
        let parts = expiry.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else { throw TypedCardFault.expiry }
        do throws(CardData.Fault) {
            return try CardData(number: number, month: parts[0], year: parts[1], code: code)
        } catch {
            throw TypedCardFault.card(error)
        }
    }
}

/// What is wrong with a card entered at the prompts. Never holds the typed text.
package enum TypedCardFault: Error, Equatable, Sendable {
    /// The expiration date is not a month and a year separated by a slash.
    case expiry
    case card(CardData.Fault)
}

/// This machine's IP address, for the ecommerce API's header with the client's address.
enum LocalAddress {
    /// The first IPv4 address that is not on the loopback interface (getifaddrs(3)), or else the loopback address.
    static func current() -> String {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return "127.0.0.1" }
        defer { freeifaddrs(list) }
        var entry = list
        while let interface = entry {
            entry = interface.pointee.ifa_next
            guard let address = interface.pointee.ifa_addr, Int32(address.pointee.sa_family) == AF_INET,
                interface.pointee.ifa_flags & UInt32(IFF_LOOPBACK) == 0
            else { continue }
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let length = socklen_t(MemoryLayout<sockaddr_in>.size)
            guard getnameinfo(address, length, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0 else {
                continue
            }
            return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        return "127.0.0.1"
    }
}

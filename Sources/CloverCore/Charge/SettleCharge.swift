import CloverAuth
import CloverPayments
import Glibc

/// `clover charge settle`: records the outcome of an operation by hand, if no service knows it.
package struct SettleCharge: Sendable {
    package var identifier: String
    /// True if it was carried out; false if no money moved.
    package var isDone: Bool
    /// The id of the payment at Clover, if known.
    package var payment: String?
    /// The person who enters the outcome; nil for the user account that runs the program.
    package var person: String?
    package var isJSON = false

    /// Maximum length of a person's name, in characters.
    private static let longestName = 64

    package init(_ identifier: String, isDone: Bool) {
        self.identifier = identifier
        self.isDone = isDone
    }

    /// Records the outcome and prints it. The service is asked only about a payment that is named for a charge or
    /// refund; if it cannot be asked, the payment is still recorded, with a warning.
    ///
    /// - Throws: `PaymentPlanError.unknownOperation`; `.handedOff` for a hand-off to the Square app; `.inUseByProcess`
    ///   while another process works on it; `.settledBefore`, `.neverSent`, `.paymentOfAnother`; `.paymentDiffers` and
    ///   `.paymentMissing` if the service shows that it is not the operation's payment; errors of the journal.
    package func run(in environment: CommandEnvironment) async throws {
        let person = person ?? AccountName.current()
        guard !person.isEmpty, person.count <= Self.longestName,
            person.unicodeScalars.allSatisfy({ $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) })
        else { throw PaymentPlanError.malformedPerson }
        guard let journal = try await environment.existingJournal(),
            let operation = try await journal.operation(identifier)
        else { throw PaymentPlanError.unknownOperation(identifier) }
        if operation.rail == .square { throw PaymentPlanError.handedOff(id: identifier) }
        guard let lock = try await journal.lock(identifier, waiting: false) else {
            throw PaymentPlanError.inUseByProcess(id: identifier)
        }
        defer { withExtendedLifetime(lock) {} }
        if isDone, let payment, try await journal.wouldRecord(payment: payment, of: identifier) {
            try await check(payment, of: operation, journal, in: environment)
        }
        let settled = try await journal.settleByHand(
            identifier, isDone: isDone, by: person, payment: payment, now: environment.clock.wall())
        let output = ChargeOutput(isJSON: isJSON, isQuiet: false, in: environment)
        await output.show(.settled(settled))
        try output.finish()
    }

    /// Refuses a payment that the service shows to be another one. If it shows nothing, the person's word counts.
    private func check(
        _ payment: String, of operation: PaymentOperation, _ journal: ChargeJournal, in environment: CommandEnvironment
    ) async throws {
        let followUps = try await journal.followUps(of: operation.id)
        switch try await look(payment, for: operation, after: followUps, in: environment) {
        case .matches: break
        case .differs(let difference):
            throw PaymentPlanError.paymentDiffers(id: operation.id, payment: payment, difference)
        case .missing: throw PaymentPlanError.paymentMissing(id: operation.id, payment: payment)
        case .unchecked(let reason):
            environment.diagnostics.warning("the payment \(payment) was not checked: \(reason)")
        }
    }

    private func look(
        _ payment: String, for operation: PaymentOperation, after followUps: [PaymentOperation],
        in environment: CommandEnvironment
    ) async throws -> NamedPayment {
        let connection: PaymentConnection
        do {
            connection = try await PaymentConnection.resolve(
                for: operation, ConnectionChoice(), isBrief: true, in: environment)
        } catch let error as CancellationError {
            throw error
        } catch {
            return .unchecked(reason: Self.reason(for: error))
        }
        let found = await NamedPayment.look(
            payment, for: operation, after: followUps, connection.client, now: environment.clock.wall())
        // A look that was interrupted proves nothing, and what was interrupted records nothing.
        try Task.checkCancellation()
        return found
    }

    /// Why there is no connection, as a clause.
    private static func reason(for error: any Error) -> String {
        switch error {
        case CoreError.notSignedIn, CoreError.profileNotSignedIn, CoreError.severalCredentials:
            "there is no sign-in to the merchant of the charge"
        case PaymentPlanError.otherMerchant: "the sign-in is to another merchant"
        default: "the service could not be asked"
        }
    }
}

/// The user account that this process runs as.
package enum AccountName {
    /// The effective user's name, or its number if the user database has no name for it (getpwuid(3)).
    package static func current() -> String {
        guard let entry = getpwuid(geteuid()), let name = entry.pointee.pw_name else { return String(geteuid()) }
        return String(cString: name)
    }
}

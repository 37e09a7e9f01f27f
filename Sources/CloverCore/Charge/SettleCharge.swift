import CloverAuth
import CloverPayments

/// `clover charge settle`: a person says how an operation ended whose outcome nobody else can tell.
package struct SettleCharge: Sendable {
    package var identifier: String
    /// It was carried out; otherwise nothing moved.
    package var isDone: Bool
    /// The payment at Clover, where it is known.
    package var payment: String?
    /// Who says so; nil is the account that the program runs for.
    package var person: String?
    package var isJSON = false

    /// Characters that a person's name may have.
    private static let longestName = 64

    package init(_ identifier: String, isDone: Bool) {
        self.identifier = identifier
        self.isDone = isDone
    }

    /// Writes it down, and prints the end. Nothing is sent.
    ///
    /// - Throws: `PlanRefusal.unknownOperation`; `.handedOff` for a hand-off to the Square app; `.workedOn` while another
    ///   process works on it; `.settledBefore`, `.neverSent`; trouble with the journal.
    package func run(in environment: CommandEnvironment) async throws {
        let person = person ?? AccountName.current()
        guard !person.isEmpty, person.count <= Self.longestName,
            person.unicodeScalars.allSatisfy({ $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) })
        else { throw PlanRefusal.malformedPerson }
        guard let journal = try await environment.existingJournal(),
            let operation = try await journal.operation(identifier)
        else { throw PlanRefusal.unknownOperation(identifier) }
        if operation.rail == .square { throw PlanRefusal.handedOff(id: identifier) }
        guard let lock = try await journal.lock(identifier, waiting: false) else {
            throw PlanRefusal.workedOn(id: identifier)
        }
        defer { withExtendedLifetime(lock) {} }
        let settled = try await journal.settleByHand(
            identifier, isDone: isDone, by: person, payment: payment, now: environment.clock.wall())
        let output = ChargeOutput(isJSON: isJSON, isQuiet: false, in: environment)
        await output.show(.settled(settled))
        try output.finish()
    }
}

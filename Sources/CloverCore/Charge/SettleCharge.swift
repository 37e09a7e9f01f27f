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

    /// Records the outcome and prints it. Sends no request.
    ///
    /// - Throws: `PaymentPlanError.unknownOperation`; `.handedOff` for a hand-off to the Square app; `.inUseByProcess` while another
    ///   process works on it; `.settledBefore`, `.neverSent`; errors of the journal.
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
        let settled = try await journal.settleByHand(
            identifier, isDone: isDone, by: person, payment: payment, now: environment.clock.wall())
        let output = ChargeOutput(isJSON: isJSON, isQuiet: false, in: environment)
        await output.show(.settled(settled))
        try output.finish()
    }
}

/// The user account that this process runs as.
enum AccountName {
    /// The effective user's name, or its number if the user database has no name for it (getpwuid(3)).
    static func current() -> String {
        guard let entry = getpwuid(geteuid()), let name = entry.pointee.pw_name else { return String(geteuid()) }
        return String(cString: name)
    }
}

import CloverAPI
import CloverAuth
import CloverPacing
import CloverPayments

/// A merchant's service for runs about money: paced before everything else, and sent once.
struct PaymentConnection {
    let connection: Connection
    let client: PaymentClient
    /// For what is asked besides.
    let service: ServiceClient

    /// Seconds that an answer may take besides what a device waits for a card.
    private static let answerTime = 60
    /// Repetitions of what cannot have been carried out: a limit, a connection that never stood.
    private static let retries = 5

    var environmentName: String { connection.environment.name }
    var merchantID: String { connection.merchantID }

    /// - Parameter waiting: seconds that the service may wait for a person before it answers.
    static func resolve(
        _ choice: ConnectionChoice, waiting: Int, in environment: CommandEnvironment
    ) async throws -> PaymentConnection {
        let connection = try await Connection.resolve(choice, in: environment)
        var pacing = PacingChoice()
        pacing.pacingClass = .charge
        pacing.command = "charge"
        // Shorter pauses are over before anybody wonders.
        pacing.shortestToldPause = 1.5
        var unpaced = pacing
        unpaced.isOff = true
        let stall = waiting + answerTime
        let service = try connection.makeClient(
            retries: retries, pacing: pacing, stallTimeout: stall, in: environment)
        let client = PaymentClient(
            hosts: PaymentHosts(connection.environment), service: service,
            local: try connection.makeClient(
                retries: retries, pacing: unpaced, stallTimeout: stall, in: environment))
        return PaymentConnection(connection: connection, client: client, service: service)
    }

    /// The connection for an operation of the journal: to its merchant, unless another one was asked for by name.
    static func resolve(
        for operation: PaymentOperation, _ choice: ConnectionChoice, in environment: CommandEnvironment
    ) async throws -> PaymentConnection {
        if operation.rail == .square { throw PlanRefusal.handedOff(id: operation.id) }
        let found = try await resolve(
            choice.meaning(operation, in: environment), waiting: operation.request.timeout ?? ChargePlan.longestTimeout,
            in: environment)
        guard found.environmentName == operation.environment, found.merchantID == operation.merchantID else {
            throw PlanRefusal.otherMerchant(
                id: operation.id, merchantID: operation.merchantID, environment: operation.environment)
        }
        return found
    }
}

extension ConnectionChoice {
    /// The merchant of an operation, unless another one was asked for by name.
    func meaning(_ operation: PaymentOperation, in environment: CommandEnvironment) -> ConnectionChoice {
        let isOpen = profile == nil && self.environment == nil && merchantID == nil
        // A hand-off whose request names no location has no merchant.
        guard isOpen, !operation.merchantID.isEmpty, environment.variables.nonEmpty("CLOVER_ACCESS_TOKEN") == nil else {
            return self
        }
        var choice = self
        choice.environment = operation.environment
        choice.merchantID = operation.merchantID
        return choice
    }
}

extension CommandEnvironment {
    /// The journal of charges, made where there is none.
    func chargeJournal() async throws -> ChargeJournal {
        try await ChargeJournal.open(in: try stateDirectory())
    }

    /// The journal; nil when nothing was ever charged.
    func existingJournal() async throws -> ChargeJournal? {
        try await ChargeJournal.existing(in: try stateDirectory())
    }

    /// The clock of runs about money.
    var paymentClock: OperationRunner.Clock {
        let boot = clock.boot
        return OperationRunner.Clock(
            now: clock.wall,
            boot: {
                do {
                    return BootTime(boot: try BootIdentity.current().text, milliseconds: Int64(boot()))
                } catch {
                    // Without it no age is known, and nothing is repeated for being young.
                    return nil
                }
            }, sleep: sleep)
    }
}

import CloverAPI
import CloverAuth
import CloverCore
import CloverDatabase
import CloverFleet
import CloverHTTP
import CloverPayments
import CloverRateLimit
import CloverSystem

/// A connection to a merchant's service for payments: its requests have the highest priority and are sent once.
struct PaymentConnection {
    let connection: Connection
    let client: PaymentClient
    /// For requests other than payments.
    let service: ServiceClient

    /// Response timeout in seconds, in addition to the time that a device waits for a card.
    private static let responseTimeout = 60
    /// Response timeout in seconds of a brief look.
    private static let briefTimeout = 20

    var environmentName: String { connection.environment.name }
    var merchantID: String { connection.merchantID }

    /// - Parameters:
    ///   - waiting: seconds that the service may wait for a customer before it responds.
    ///   - isBrief: for a look that a person waits for and that may fail: no request is sent a second time, or waits
    ///     for the end of a rate limit.
    static func resolve(
        _ choice: ConnectionChoice, waiting: Int, isBrief: Bool = false, in environment: CommandEnvironment
    ) async throws -> PaymentConnection {
        let connection = try await Connection.resolve(choice, in: environment)
        var pacing = RateLimitOptions()
        pacing.pacingClass = .charge
        pacing.command = "charge"
        // Shorter pauses are not worth a message.
        pacing.shortestAnnouncedPause = 1.5
        pacing.waitsOutPauses = !isBrief
        var unpaced = pacing
        unpaced.isOff = true
        let stall = isBrief ? briefTimeout : waiting + responseTimeout
        // Of requests that cannot have been carried out: after a rate limit, or if no connection was made.
        let retries = isBrief ? 0 : RetryPolicy.usualRetries
        let service = try connection.makeClient(
            retries: retries, pacing: pacing, stallTimeout: stall, in: environment)
        let client = PaymentClient(
            hosts: PaymentHosts(connection.environment), service: service,
            local: try connection.makeClient(
                retries: retries, pacing: unpaced, stallTimeout: stall, in: environment))
        return PaymentConnection(connection: connection, client: client, service: service)
    }

    /// Resolves the connection for an operation in the journal: to its merchant, unless `choice` names another.
    static func resolve(
        for operation: PaymentOperation, _ choice: ConnectionChoice, isBrief: Bool = false,
        in environment: CommandEnvironment
    ) async throws -> PaymentConnection {
        if operation.rail.isHandedOff { throw PaymentPlanError.handedOff(id: operation.id) }
        let found = try await resolve(
            choice.meaning(operation, in: environment), waiting: operation.request.timeout ?? ChargePlan.maximumTimeout,
            isBrief: isBrief, in: environment)
        guard found.environmentName == operation.environment, found.merchantID == operation.merchantID else {
            throw PaymentPlanError.otherMerchant(
                id: operation.id, merchantID: operation.merchantID, environment: operation.environment)
        }
        return found
    }
}

extension ConnectionChoice {
    /// The choice completed with an operation's merchant, unless it already names one.
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
    /// The charge journal in the database of state; nil without one. Nothing is opened yet.
    private func sharedJournal() throws -> ChargeJournal? {
        let state = try stateDirectory()
        return try sharedState().map { [diagnostics, databaseLimit, databaseWaits] address in
            ChargeJournal(
                FleetJournal(address, state: state, openLimit: databaseLimit, waits: databaseWaits) { error in
                    diagnostics.request("waiting for the database: \(ErrorReport(error).message)")
                })
        }
    }

    /// Number of charges without a certain outcome in this machine's file, while the journal is in a database.
    func openChargesInFile() async throws -> Int {
        guard let directory = try directoryLeft() else { return 0 }
        return try await ChargeJournal.left(in: directory)?.unsettled().count ?? 0
    }

    /// This machine's directory, which is not used while what is in a database is; nil if it was moved there. What is on its way
    /// there counts as left in it.
    private func directoryLeft() throws -> StateDirectory? {
        guard try sharedState() != nil else { return nil }
        let directory = try stateDirectory()
        do throws(StorageError) {
            try directory.refuseMoved()
        } catch {
            guard case .moved(_, _, let stage) = error else { throw error }
            if stage == .left { return nil }
        }
        return directory.forMoving
    }

    /// Whether a move of what is in this machine's directory was begun and is not complete.
    func isMoving() throws -> Bool {
        let directory = try stateDirectory()
        do throws(StorageError) {
            try directory.refuseMoved()
            return false
        } catch {
            guard case .moved(_, _, let stage) = error else { throw error }
            return stage != .left
        }
    }

    /// Whether this machine's file has charges, while the journal is in a database. For hints: false if that is not known.
    func hasChargesInFile() async -> Bool {
        do {
            guard let directory = try directoryLeft() else { return false }
            return try await ChargeJournal.left(in: directory)?.charges(limit: 1).isEmpty == false
        } catch {
            return false
        }
    }

    /// Number of sign-ins in this machine's files, while those in a database are used.
    func signInsInFiles() async throws -> Int {
        guard let directory = try directoryLeft() else { return 0 }
        return try await FileCredentialStore(state: directory).keys().count
    }

    /// Opens the charge journal, creating it if necessary. If there was one before, a warning says so.
    func chargeJournal() async throws -> ChargeJournal {
        if let shared = try sharedJournal() { return shared }
        let directory = try stateDirectory()
        do {
            if let journal = try await ChargeJournal.existing(in: directory) { return journal }
        } catch let error as StateDatabaseError {
            guard case .removed = error else { throw error }
            diagnostics.warning("\(error); a new one is begun, which does not know the earlier charges")
        }
        return try await ChargeJournal.open(in: directory)
    }

    /// Opens the charge journal; nil if nothing was ever charged.
    func existingJournal() async throws -> ChargeJournal? {
        if let shared = try sharedJournal() { return shared }
        return try await ChargeJournal.existing(in: try stateDirectory())
    }

    /// The clock for payment runs.
    var paymentClock: OperationRunner.Clock {
        let boot = clock.boot
        return OperationRunner.Clock(
            now: clock.wall,
            boot: {
                do {
                    return BootTime(boot: try BootIdentity.current().text, milliseconds: Int64(boot()))
                } catch {
                    // Without a boot id the age of a request is unknown, so none is repeated as recent.
                    return nil
                }
            }, sleep: sleep)
    }
}

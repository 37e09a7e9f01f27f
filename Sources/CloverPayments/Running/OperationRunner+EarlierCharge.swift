import CloverAPI

/// What may have happened to a charge elsewhere: under the same key on another machine, or in another process.
extension OperationRunner {
    /// The device or the service could not be asked whether the charge of a key was made before, so it was not sent.
    package struct Unchecked: Error, Sendable {
        /// A clause.
        package let reason: String
    }

    /// Looks for the charge of a key that the user chose, before it is sent: another machine, or a journal that was lost, may
    /// have made it. The external ID comes from the key. An unanswered look is a reason not to charge, also on the Ecommerce
    /// API: nothing says how long it remembers a key. Its list is read one day back.
    ///
    /// - Returns: the operation with the result of the charge that was found, which is recorded and reported; nil if there
    ///   is none.
    /// - Throws: `NotCarriedOut` with `Unchecked`, or with an error of the journal.
    func madeBefore(_ operation: PaymentOperation) async throws -> PaymentOperation? {
        guard operation.kind == .charge, operation.request.hasChosenKey == true, operation.request.hasChosenID != true
        else { return nil }
        let evidence: [Evidence]
        do {
            var sought = operation
            sought.createdAt -= Self.keyLookback
            evidence = try await recollection(of: sought)
        } catch {
            throw NotCarriedOut(operation: operation, cause: error)
        }
        let found = evidence.filter { $0.shows(operation) }
        if !found.isEmpty { return try await end(operation, found, cause: nil) }
        if evidence.contains(where: \.isAbsence) { return nil }
        let reason = Verdict(on: operation, evidence).record.outcome.reason ?? "there was no response"
        let outcome = OperationOutcome(reason: "it is not known whether this key was charged before: \(reason)")
        return try await end(operation, [.neverLeft(.failed, outcome)], cause: Unchecked(reason: reason))
    }

    /// Milliseconds before now from which on listed charges are examined for a chosen key.
    private static let keyLookback: Int64 = 24 * 60 * 60 * 1000

    /// Waits for the process that holds an operation's lock.
    ///
    /// - Parameter seconds: the longest wait.
    /// - Returns: nil if another process still holds it then, or when the time of the run ends.
    func lock(_ id: String, within seconds: Double) async throws -> OperationLock? {
        try await journal.lock(id, within: seconds, sleep: clock.sleep) { stop.requests.reason != nil }
    }
}

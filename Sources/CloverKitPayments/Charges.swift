import CloverAPI
public import CloverKit
import CloverPayments

/// Charges cards that are not present, over Clover's Ecommerce API, refunds and captures these charges, and settles what a crash or
/// a lost response left open.
///
/// The key and the request of a charge are in a journal on this machine before anything is sent. The programs of this user share
/// it: `clover charge list` shows the charges. With this journal, a key charges or refunds once, whatever is lost or repeated. The
/// library has it in files: programs that keep their journal in a database, for several machines, do not see it, and `Shop` throws an
/// error where they do.
///
/// ```swift
/// let charges = Charges(for: shop)
/// let charge = try await charges.charge(
///     ChargeRequest(
///         amount: 1250, currency: "USD", cardToken: token, key: "order-1017", payerAddress: "203.0.113.7"))
/// print(charge.outcome, charge.reason ?? "")
/// ```
public struct Charges: Sendable {
    let shop: Shop

    /// Charges for a merchant, with the shop's token. Nothing is opened or sent.
    public init(for shop: Shop) {
        self.shop = shop
    }

    /// Carries out a charge, once. If the journal has a charge with its key that was sent, or may have been, the result of that charge
    /// is returned, and looked up first if it is open; if Clover cannot be asked then, it is returned as `.unknown`. One that was never
    /// sent, which is `.cancelled`, `.failed` or `.unknown`, is carried out now: to only read a result, use `charge(key:)`.
    ///
    /// Before the first sending, Clover's charges of the last day are searched for one with this key, which another machine may have
    /// made. If they cannot be read, nothing is sent, and the error has the kind of the cause, such as `.rateLimited` during a
    /// pause that is longer than `Shop.Options.longestPause`. The key may have been charged before, so the journal has the charge as
    /// open, and `charge(_:)` and `recover(key:)` look again. While Clover cannot be asked, `charge(_:)` throws again, and
    /// `recover(key:)` returns it as `.unknown`.
    ///
    /// If the task is cancelled before the charge was sent, it is not sent, and its outcome is `.cancelled`. Of a charge that was
    /// sent, the response is awaited.
    ///
    /// - Returns: the charge with its outcome, which may be that it is not approved, or not known.
    /// - Throws: `CloverError` or `CancellationError` if this call charged nothing. An earlier call, or another machine, may have
    ///   charged the key: a journal that cannot be used (`.state`), records that cannot be read, and a key that is used for another
    ///   amount (`.request`) show nothing about that. The exception is the kind `.outcomeUnknown`: it was sent, and the journal could
    ///   not be written; `recover(key:)` settles it.
    public func charge(_ request: ChargeRequest) async throws -> Charge {
        let operation = try request.operation(
            environment: shop.service.name, merchantID: shop.merchantID, now: Shop.now)
        let journal = try await opened { try await ChargeJournal.open(in: $0) }
        return try await charge(from: journal) { runner in
            try await runner.chargeOnce(operation, source: request.source)
        }
    }

    /// The charge of a key over the Ecommerce API, as the journal has it, whoever made it on this machine. Nothing is sent.
    ///
    /// ```swift
    /// let charge = try await charges.charge(key: "order-1017")
    /// print(charge?.outcome ?? .unknown)
    /// ```
    ///
    /// - Returns: nil if the journal has no such charge of this merchant with this key. Charges of the program on a device or with a
    ///   reader are not shown, though their keys are in use: `clover charge list` shows these.
    /// - Throws: `CloverError` of the kind `.state`.
    public func charge(key: String) async throws -> Charge? {
        guard let (journal, operation) = try await recorded(key) else { return nil }
        return try await charge(operation, in: journal)
    }

    /// Settles a charge that is not known, as far as Clover shows what became of it. It is never sent again. A part that the
    /// program charged and that is not enough is given back. Of a hold, Clover is asked what was captured, refunded or released
    /// elsewhere. If another process works on it, waits for that.
    ///
    /// Clover is also asked about captures and refunds of the charge that a person recorded as carried out. One that Clover shows as
    /// not carried out is no error either: `Charge.contradictedFollowUp` has it, in each call until a person corrects or confirms it
    /// with `settleFollowUp(key:as:by:)`.
    ///
    /// If Clover cannot be asked, this is no error: the outcome stays `.unknown`, and `Charge.lookupError` says why. Then call it
    /// again later. If Clover responds and the outcome stays unknown, `settle(key:as:by:)` records what a person found.
    ///
    /// ```swift
    /// let charge = try await charges.recover(key: "order-1017")
    /// if let charge, charge.outcome == .unknown {
    ///     print(charge.lookupError.map { "not asked: \($0)" } ?? "Clover does not show it: \(charge.reason ?? "")")
    /// } else if let wrong = charge?.contradictedFollowUp {
    ///     print("the \(wrong.kind) \(wrong.key) is in doubt: \(wrong.contradiction ?? "")")
    /// }
    /// ```
    ///
    /// - Returns: the charge with what is known now; nil as `charge(key:)`.
    /// - Throws: `CloverError` of the kind `.state` if the journal cannot be used, of `.outcomeUnknown` if what became known could not
    ///   be recorded, or another one, which shows nothing about the charge; or `CancellationError`.
    public func recover(key: String) async throws -> Charge? {
        guard let (journal, operation) = try await recorded(key) else { return nil }
        return try await charge(from: journal, LatestFailure()) { runner in
            let recovery = Recovery(runner: runner)
            let known = try await recovery.recover(operation.id, waiting: .infinity, looksElsewhere: true) ?? operation
            _ = try await recovery.reversePartialApproval(known)
            // The journal has what Clover contradicts, and the charge is read from it.
            _ = try await recovery.contradictedFollowUp(of: known.id)
            return known
        }
    }

    /// The charges of this merchant over the Ecommerce API that are open in this journal, oldest first: their outcome is not known,
    /// or a part that is not enough may not have been given back. `unsettledFollowUps()` has captures and refunds;
    /// `clover charge recover --all` has all that is open, also charges on a device or with a reader.
    ///
    /// ```swift
    /// for charge in try await charges.unsettled() {
    ///     print(charge.key, try await charges.recover(key: charge.key)?.outcome ?? .unknown)
    /// }
    /// ```
    ///
    /// - Throws: `CloverError` of the kind `.state`.
    public func unsettled() async throws -> [Charge] {
        guard let journal = try await existing() else { return [] }
        var found: [Charge] = []
        do {
            for operation in try await journal.unsettled() where isOurs(operation) && operation.kind == .charge {
                found.append(try await charge(operation, in: journal))
            }
        } catch {
            throw CloverError.wrapping(error)
        }
        return found
    }
}

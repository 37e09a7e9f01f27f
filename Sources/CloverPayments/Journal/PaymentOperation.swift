import CloverRecords

/// One row of the journal: something that was asked of Clover under one idempotency key.
package struct PaymentOperation: Sendable, Equatable {
    package let id: String
    package let kind: OperationKind
    /// The charge that it is about; nil for the charge itself.
    package let parent: String?
    package let rail: Rail
    /// The service's name or address, and the merchant there.
    package let environment: String
    package let merchantID: String
    package let idempotencyKey: String
    /// By which the service finds a charge again; nil for what comes after it.
    package let externalID: String?
    /// What was asked for; nil where an operation has no amount.
    package let amount: Money?
    /// The same for a hand-off in a currency that is none of ISO 4217; nil where `amount` is not.
    package let plainAmount: PlainAmount?
    package internal(set) var request: OperationRequest
    package internal(set) var state: OperationState
    package internal(set) var outcome: OperationOutcome
    /// Milliseconds since 1970.
    package let createdAt: Int64
    package internal(set) var updatedAt: Int64

    /// A new operation, not yet written down.
    package init(
        id: String, kind: OperationKind, parent: String? = nil, rail: Rail, environment: String, merchantID: String,
        idempotencyKey: String, externalID: String? = nil, amount: Money?,
        plainAmount: PlainAmount? = nil, request: OperationRequest, now: Int64
    ) {
        self.id = id
        self.kind = kind
        self.parent = parent
        self.rail = rail
        self.environment = environment
        self.merchantID = merchantID
        self.idempotencyKey = idempotencyKey
        self.externalID = externalID
        self.amount = amount
        self.plainAmount = plainAmount
        self.request = request
        state = .created
        outcome = OperationOutcome()
        createdAt = now
        updatedAt = now
    }

    /// In the currency's smallest unit; nil where an operation has no amount.
    package var minorUnits: Int64? { amount?.minorUnits ?? plainAmount?.minorUnits }

    package var currencyCode: String? { amount?.currency.code ?? plainAmount?.currencyCode }

    /// For a person, such as `12.50 USD`; nil where an operation has no amount.
    package var amountText: String? { amount.map { "\($0)" } ?? plainAmount.map { "\($0)" } }

    /// The operation with an end.
    package func settled(_ state: OperationState, _ outcome: OperationOutcome) -> PaymentOperation {
        var operation = self
        operation.state = state
        operation.outcome = outcome
        return operation
    }

    /// Nothing of it ever left this machine, by proof: it can be done under its key.
    package var isNeverSent: Bool {
        state == .created || state.isFinal && state != .approved && outcome.neverLeft == true
    }

    /// A part was approved that was not asked for: it has to be given back.
    package var isUnwantedPart: Bool {
        isPartial && kind == .charge && !request.acceptsPartial && rail != .reader && rail != .square
            && outcome.isByHand != true
    }

    /// Less was approved than asked for.
    package var isPartial: Bool {
        guard state == .approved, let asked = amount?.minorUnits, let approved = outcome.amount else { return false }
        return approved < asked
    }
}

/// A change of an operation's state, and when it was.
package struct OperationTransition: Sendable, Equatable {
    package let state: OperationState
    package let detail: String?
    /// Milliseconds since 1970.
    package let at: Int64

    package init(state: OperationState, detail: String?, at: Int64) {
        self.state = state
        self.detail = detail
        self.at = at
    }
}

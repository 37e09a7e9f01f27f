import CloverAPI
import CloverHTTP
import CloverRecords

/// Asks what became of a charge; changes nothing.
struct Inquiry {
    let client: PaymentClient
    private let now: Int64
    private let others: Set<String>
    private var call: OperationCall { OperationCall(hosts: client.hosts) }

    /// Charges in the list are looked at back to this long before the charge was written down, in milliseconds, on the
    /// service's own clock: the newest entry is not later than its present.
    private static let slack: Int64 = 60 * 60 * 1000
    private static let mostPages = 50

    /// - Parameters:
    ///   - now: milliseconds since 1970.
    ///   - others: payments that the journal knows to be of other operations.
    init(client: PaymentClient, now: Int64, others: Set<String> = []) {
        self.client = client
        self.now = now
        self.others = others
    }

    /// By the id that the service got from us.
    func look(for operation: PaymentOperation) async -> Sighting {
        switch operation.rail {
        case .ecommerce: await ecommerce(operation)
        case .payDisplay: await single(operation)
        case .reader: await listed(operation)
        case .square: .unclear("only the Square app's own answer tells")
        }
    }

    /// By the service's own id, for a charge of which it is known.
    func present(_ operation: PaymentOperation, paymentID: String) async -> Sighting {
        let isLocal = operation.request.deviceAddress != nil
        switch await client.exchange(call.present(operation, paymentID: paymentID), isLocal: isLocal) {
        case .answer(let status, let body) where (200...299).contains(status):
            guard let tree = JSONTree(body) else { return .unclear("the answer is not to be understood") }
            return .found(
                operation.rail == .ecommerce
                    ? EcommerceAnswer.charge(tree, operation, status)
                    : PayDisplayAnswer.verdict(on: operation, payment: tree["payment"] ?? tree, status))
        case .answer(404, _): return .absent
        case .answer(let status, _): return .unclear("the service answered \(status)")
        case .notCarriedOut(let error): return .unclear(Self.words(for: error))
        case .lost(let reason): return .unclear(reason)
        }
    }

    /// Whether the device has nothing to do with the charge now; nil when it does not say (Clover: Remote Pay, device
    /// states).
    func isDeviceFree(of operation: PaymentOperation) async -> Bool? {
        guard let tree = await deviceStatus(operation), let state = tree["state"]?.string else { return nil }
        // What a device is busy with it names by its external id.
        if let present = tree["data"]?["externalPaymentId"]?.string { return present != operation.externalID }
        // After a payment it waits for the next screen, which the till that died never asked for.
        return state == "IDLE" || state == "WAITING_FOR_POS"
    }

    /// The device's own word for what it does; nil when it does not say.
    func deviceWord(_ operation: PaymentOperation) async -> String? {
        await deviceStatus(operation)?["state"]?.string
    }

    private func deviceStatus(_ operation: PaymentOperation) async -> JSONTree? {
        let isLocal = operation.request.deviceAddress != nil
        // The documentation leaves the method open.
        for method in [HTTPMethod.get, .post] {
            guard
                case .answer(let status, let body) = await client.exchange(
                    call.device(method, "status", operation), isLocal: isLocal),
                (200...299).contains(status), let tree = JSONTree(body), tree["state"] != nil
            else { continue }
            return tree
        }
        return nil
    }

    private func single(_ operation: PaymentOperation) async -> Sighting {
        let isLocal = operation.request.deviceAddress != nil
        switch await client.exchange(call.lookUp(operation), isLocal: isLocal) {
        case .answer(let status, let body) where (200...299).contains(status):
            guard let tree = JSONTree(body) else { return .unclear("the answer is not to be understood") }
            return .found(PayDisplayAnswer.verdict(on: operation, payment: tree["payment"] ?? tree, status))
        case .answer(404, _): return .absent
        case .answer(let status, _): return .unclear("the service answered \(status)")
        case .notCarriedOut(let error): return .unclear(Self.words(for: error))
        case .lost(let reason): return .unclear(reason)
        }
    }

    private func listed(_ operation: PaymentOperation) async -> Sighting {
        switch await client.exchange(call.lookUp(operation)) {
        case .answer(let status, let body) where (200...299).contains(status):
            guard let entries = JSONTree(body)?["elements"]?.list else {
                return .unclear("the answer is not to be understood")
            }
            // The service ignores filters that it does not know.
            let ours = entries.filter {
                $0["externalPaymentId"]?.string == operation.externalID
                    && !($0["id"]?.string.map { others.contains($0) } ?? false)
            }
            guard let first = ours.first else { return .absent }
            if ours.count > 1 { return .unclear("the service has \(ours.count) payments of this external id") }
            return .found(PayDisplayAnswer.verdict(on: operation, payment: first, status))
        case .answer(let status, _): return .unclear("the service answered \(status)")
        case .notCarriedOut(let error): return .unclear(Self.words(for: error))
        case .lost(let reason): return .unclear(reason)
        }
    }

    /// Goes through the list of charges back to before this one was made.
    private func ecommerce(_ operation: PaymentOperation) async -> Sighting {
        var last: String?
        var ours: [JSONTree] = []
        var earliest: Int64?
        for _ in 0..<Self.mostPages {
            let body: [UInt8]
            switch await client.exchange(call.page(after: last)) {
            case .answer(let status, let bytes) where (200...299).contains(status): body = bytes
            case .answer(let status, _): return .unclear("the service answered \(status)")
            case .notCarriedOut(let error): return .unclear(Self.words(for: error))
            case .lost(let reason): return .unclear(reason)
            }
            // Two envelopes are documented.
            guard let tree = JSONTree(body), let entries = tree["data"]?.list ?? tree["elements"]?.list else {
                return .unclear("the answer is not to be understood")
            }
            ours += entries.filter { isSame($0, operation) }
            // On the service's clock, when this charge was written down, or before.
            let start = earliest ?? start(newest: entries.first?["created"]?.int ?? .max, operation)
            earliest = start
            let oldest = entries.last?["created"]?.int ?? .max
            let isOver = tree["has_more"]?.bool.map { !$0 } ?? (entries.count < 100)
            let next = entries.last?["id"]?.string
            if isOver || next == nil || next == last || oldest < start {
                return Self.sighting(ours, operation, since: start)
            }
            last = next
        }
        return ours.isEmpty
            ? .unclear("the list of charges is too long") : Self.sighting(ours, operation, since: earliest ?? 0)
    }

    /// A time that is far from any is taken for the farthest that can be counted with.
    private func start(newest: Int64, _ operation: PaymentOperation) -> Int64 {
        let (start, isBeyond) = newest.subtractingReportingOverflow(now - operation.createdAt + Self.slack)
        return isBeyond ? .min : start
    }

    private static func sighting(
        _ ours: [JSONTree], _ operation: PaymentOperation, since start: Int64
    ) -> Sighting {
        guard let first = ours.first else { return .absent }
        // Failed tries beside a charge that was made are no contradiction.
        let made = ours.filter { $0["status"]?.string != "failed" }
        if made.count > 1 {
            return .unclear("the service has \(made.count) charges of this amount and reference")
        }
        let found = made.first ?? first
        // An invoice number may have been used on another day; an id of our own was not.
        if operation.request.reference != nil, (found["created"]?.int ?? .max) < start {
            return .unclear("the service has a charge of this amount and reference, but of another day")
        }
        return .found(EcommerceAnswer.charge(found, operation, 200))
    }

    private func isSame(_ charge: JSONTree, _ operation: PaymentOperation) -> Bool {
        charge["external_reference_id"]?.string == operation.externalID
            && charge["amount"]?.int == operation.amount?.minorUnits
            && charge["currency"]?.string?.uppercased() == operation.amount?.currency.code
            && !(charge["id"]?.string.map { others.contains($0) } ?? false)
    }

    private static func words(for error: any Error) -> String {
        switch error {
        case ServiceError.unauthorized: "the sign-in was not accepted"
        case ServiceError.unreachable: "the service cannot be reached"
        case ServiceError.rateLimited, ServiceError.paused: "the service limits us"
        case is StopSwitch.Stopped: "it was stopped while the service limits us"
        case is MaximumTimeRanOut: "--max-time ran out while the service limits us"
        default: "the service could not be asked"
        }
    }
}

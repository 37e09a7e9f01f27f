package import CloverAPI
import CloverHTTP
import CloverJSON
import Synchronization

/// Sends requests about money, each once. Only a request that cannot have been carried out is retried automatically.
package struct PaymentClient: Sendable {
    /// The result of one request.
    enum Exchange {
        case answer(status: Int, body: [UInt8], Arrival)
        /// It cannot have been carried out.
        case notCarriedOut(any Error)
        /// It may have been carried out, but there is no complete response.
        case lost(reason: String)
    }

    struct Arrival {
        /// An earlier sending of the same request was refused by the sign-in check or the rate limit.
        let isLater: Bool
        /// When it was sent, by the service's clock, in milliseconds since 1970; nil if it does not say.
        var date: Int64?
    }

    let hosts: PaymentHosts
    /// Ends waits for the service's rate limits; nil waits until the limit allows the request.
    var waits: WaitCanceller?
    /// Ends requests that are under way; nil waits for their responses.
    var requests: WaitCanceller?
    /// Notes why a request was not carried out, or refused; nil where that is not needed.
    package var latest: LatestFailure?
    private let service: ServiceClient
    private let local: ServiceClient

    /// Whether the region has the Ecommerce API.
    package var hasEcommerce: Bool { hosts.ecommerce != nil }

    private static let responseLimit = 4 << 20

    /// - Parameters:
    ///   - service: sends within the shared rate limit, with the priority of charges.
    ///   - local: for devices in the local network, which have no rate limit.
    package init(hosts: PaymentHosts, service: ServiceClient, local: ServiceClient) {
        self.hosts = hosts
        self.service = service
        self.local = local
    }

    /// Sends `request`. Cancelling the task, or the end of the run's time, aborts the transfer, which loses the response.
    func exchange(_ request: ServiceRequest, isLocal: Bool = false, terms: SendHooks = .usual) async -> Exchange {
        let result = await withinTime(request, isLocal, terms)
        latest?.note(result)
        return result
    }

    private func withinTime(_ request: ServiceRequest, _ isLocal: Bool, _ terms: SendHooks) async -> Exchange {
        guard let requests else { return await send(request, isLocal, terms) }
        if let reason = requests.reason {
            return request.method == .get ? .lost(reason: "--max-time ran out") : .notCarriedOut(reason)
        }
        do {
            let result = try await requests.during { await send(request, isLocal, terms) }
            guard let reason = requests.reason else { return result }
            return switch result {
            case .lost: .lost(reason: "no response arrived before --max-time ran out")
            case .notCarriedOut(is CancellationError): .notCarriedOut(reason)
            case .answer, .notCarriedOut: result
            }
        } catch {
            // `send` throws nothing.
            return .lost(reason: "the response was lost after the request was sent")
        }
    }

    private func send(_ request: ServiceRequest, _ isLocal: Bool, _ terms: SendHooks) async -> Exchange {
        var terms = terms
        terms.waits = waits
        var request = request
        request.returnsRefusals = true
        request.movesMoney = request.method != .get
        var attempt = ServiceClient.Attempt()
        let sendCount = Mutex(0)
        let watch = SendObserver(
            departed: {
                sendCount.withLock { $0 += 1 }
                return true
            }, failed: { _ in })
        do {
            let response = try await (isLocal ? local : service).send(
                request, attempt: &attempt, watch: watch, terms: terms)
            do throws(HTTPTransportError) {
                return .answer(
                    status: response.status, body: try await response.body.prefix(Self.responseLimit),
                    Arrival(
                        isLater: sendCount.withLock { $0 > 1 },
                        date: response.headers.first(named: "Date").flatMap { HTTPDate.seconds($0) }.map { $0 * 1000 }))
            } catch {
                return .lost(reason: "the response was cut off")
            }
        } catch let error as IndeterminateWriteError {
            // The body was not in Clover's form, and proves nothing.
            if case .refused(let status, _, _) = error.cause {
                return .answer(status: status, body: [], Arrival(isLater: true))
            }
            return .lost(reason: Self.reason(for: error.cause))
        } catch {
            if !attempt.mayHaveActed { return .notCarriedOut(error) }
            return .lost(reason: "the response was lost after the request was sent")
        }
    }

    private static func reason(for cause: ServiceError) -> String {
        switch cause {
        case .unreachable(.timedOut, _, _): "no response arrived in time"
        case .unreachable: "the response was lost after the request was sent"
        case .failed(let status, _, _, _, _): "the service answered \(status)"
        case .rateLimited, .paused: "the service rate-limited the request after a response was lost"
        case .unreadable: "the response cannot be understood"
        case .unauthorized, .forbidden, .notFound, .refused, .redirected, .filterIgnored:
            "a second attempt was refused after a response was lost"
        }
    }
}

/// Why the latest of several requests was not carried out, or refused.
package final class LatestFailure: Sendable {
    package enum Failure: Sendable {
        case notCarriedOut(any Error)
        /// The status of the response: neither a success nor 404.
        case refused(Int)
        /// Why there is no complete response.
        case lost(String)
    }

    private let latest = Mutex<Failure?>(nil)

    package init() {}

    /// Nil if there was no request, or if the service responded to the latest one.
    @inline(never)
    package var failure: Failure? { latest.withLock { $0 } }

    /// Nil if the latest request was sent.
    var error: (any Error)? {
        guard case .notCarriedOut(let error) = failure else { return nil }
        return error
    }

    @inline(never)
    func note(_ result: PaymentClient.Exchange) {
        let failure: Failure? =
            switch result {
            case .notCarriedOut(let error): .notCarriedOut(error)
            case .answer(200...299, _, _), .answer(404, _, _): nil
            case .answer(let status, _, _): .refused(status)
            case .lost(let reason): .lost(reason)
            }
        latest.withLock { $0 = failure }
    }
}

/// The base addresses of the payment services (Clover: ecommerce API tutorials; REST Pay Display development basics).
package struct PaymentHosts: Sendable, Equatable {
    /// Charges and refunds; nil where the region has no Ecommerce API.
    package let ecommerce: String?
    /// Card tokens; nil where the region has no Ecommerce API.
    package let tokens: String?
    /// Devices, through Clover.
    package let connect: String
    /// `/v3/...`.
    package let api: String

    /// For a custom service address, all hosts are at that address.
    package init(_ environment: ServiceEnvironment) {
        api = environment.apiBaseURL
        connect = environment.apiBaseURL + "/connect"
        ecommerce = environment.ecommerceBaseURL
        tokens =
            switch environment.name {
            case "us": "https://token.clover.com"
            case "sandbox": "https://token-sandbox.dev.clover.com"
            default: environment.ecommerceBaseURL
            }
    }
}

/// The merchant's devices.
package enum DeviceList {
    /// Whether a device with this serial number belongs to the merchant; nil if the service does not show it.
    package static func has(_ serial: String, _ client: PaymentClient, merchantID: String) async -> Bool? {
        let records = RecordReader(client: client)
        let path = "/v3/merchants/\(merchantID)/devices"
        func isMeant(_ device: JSONTree) -> Bool { device["serial"]?.string == serial }
        var isThere = false
        do throws(RecordReader.Failure) {
            let first = try await records.response(path + "?limit=\(Endpoint.usualPage)").tree
            if first["elements"]?.list?.contains(where: isMeant) == true { return true }
            // Only the whole list shows that it is not among them.
            try await records.list(path, pageSize: Endpoint.usualPage) { _, device in
                isThere = isThere || isMeant(device)
            }
        } catch {
            return isThere ? true : nil
        }
        return isThere
    }
}

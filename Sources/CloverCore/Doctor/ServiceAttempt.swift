import CloverAPI
import CloverAuth
import CloverHTTP
import Synchronization

/// One request to the service without a token, made for all the checks of the way there.
final class ServiceAttempt: Sendable {
    /// What was seen of it.
    struct Sight: Sendable {
        let service: ServiceEnvironment
        /// As the variables say it, without what it needs to log in; nil without one.
        let proxy: String?
        let result: Result<Answer, HTTPTransportError>
        let facts: TransferFacts?

        /// Host and port of the service, for messages.
        var host: String { service.apiBaseURL.split(separator: "/").dropFirst().first.map(String.init) ?? "" }
        /// The service as no_proxy names it (libcurl-env(3)): without a port.
        var bareHost: String { ProxyVariables.host(of: service.apiBaseURL) }
        var isEncrypted: Bool { service.apiBaseURL.hasPrefix("https://") }

        /// The error that a command would end with.
        var error: ServiceError {
            let url = service.apiBaseURL + ServiceAttempt.path
            return switch result {
            case .failure(let error): .unreachable(error, url: url, retries: 0)
            case .success(let answer) where RetryPolicy.mayPass(answer.status) || answer.status >= 500:
                .failed(status: answer.status, url: url, retries: 0, message: nil)
            case .success(let answer): .refused(status: answer.status, url: url, message: nil)
            }
        }
    }

    struct Answer: Sendable {
        let status: Int
        let isWebPage: Bool
        /// Seconds that our clock is ahead of the service's; nil when the service does not say.
        let clockLead: Double?
    }

    /// For the whole request, in seconds.
    private static let patience = 5.0
    /// Needs a token, so that nothing comes back but the refusal.
    private static let path = "/v3/merchants/current"

    private let isOffline: Bool
    private let seen = Mutex<Sight?>(nil)

    init(isOffline: Bool) {
        self.isOffline = isOffline
    }

    /// Asks once, and gives the same again. Throws what makes the service unknown.
    func sight(_ patient: Patient) async throws -> Sight {
        if let sight = seen.withLock({ $0 }) { return sight }
        let sight = try await ask(patient)
        seen.withLock { $0 = sight }
        return sight
    }

    /// Where was asked; nil before.
    var address: String? { seen.withLock { $0.map { $0.service.apiBaseURL + Self.path } } }

    private func ask(_ patient: Patient) async throws -> Sight {
        let environment = patient.environment
        let choice = try await patient.choice.completed(in: environment)
        let service = try await Self.service(choice, hasState: patient.hasState(), in: environment)
        let proxy = ProxyVariables(environment.variables).proxy(for: service.apiBaseURL)
        let transport = environment.makeTransport(
            TransportChoice(certificateFile: choice.certificateFile, stallTimeout: Int(Self.patience)))
        let observer = FactsObserver()
        let clock = environment.clock
        var request = HTTPRequest(url: service.apiBaseURL + Self.path)
        request.observer = observer
        let sent = request
        let limit = HTTPTransportError.timedOut(
            host: service.apiBaseURL, detail: "no answer within \(Int(Self.patience)) s")
        let result: Result<Answer, HTTPTransportError>
        do {
            let answer = try await TimeLimit.run(
                seconds: Self.patience, sleep: environment.sleep, timeRanOut: { limit }
            ) {
                let before = clock.wall()
                let response = try await transport.send(sent, departure: Departure(), onEnd: {})
                let middle = Double(before + clock.wall()) / 2000
                // To its end, so that the transport has measured everything.
                let body = try await response.body.prefix(1 << 16)
                let date = response.headers.first { $0.name.lowercased() == "date" }.flatMap {
                    HTTPDate.seconds($0.value)
                }
                // The header has whole seconds, cut off.
                return Answer(
                    status: response.status, isWebPage: response.isWebPage(body),
                    clockLead: date.map { middle - Double($0) - 0.5 })
            }
            result = .success(answer)
        } catch let error as HTTPTransportError {
            if error == .cancelled { try Task.checkCancellation() }
            result = .failure(error == .cancelled ? limit : error)
        }
        return Sight(service: service, proxy: proxy, result: result, facts: observer.facts)
    }

    /// What commands would talk to: the sign-in's service, or the one that a new sign-in would be to.
    private static func service(
        _ choice: ConnectionChoice, hasState: Bool, in environment: CommandEnvironment
    ) async throws -> ServiceEnvironment {
        if let named = try choice.service() { return named }
        guard hasState, let key = try await choice.key(in: environment) else { return .us }
        return try ServiceEnvironment(parsing: key.environment)
    }
}

/// Keeps what the transport measured.
private final class FactsObserver: TransferObserver {
    private let kept = Mutex<TransferFacts?>(nil)

    var wantsSentHead: Bool { false }
    var facts: TransferFacts? { kept.withLock { $0 } }

    func didSend(_ headers: [HTTPHeader]) {}
    func didReceive(status: Int, _ headers: [HTTPHeader]) {}
    func didEnd(_ facts: TransferFacts) { kept.withLock { $0 = facts } }
}

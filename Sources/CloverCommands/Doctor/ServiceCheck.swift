import CloverAPI
import CloverCore
import CloverHTTP
import Glibc

/// Checks that the response comes from Clover.
struct ServiceCheck: DoctorCheck {
    func run(_ context: DoctorContext) async throws -> [Finding] {
        let probe = try await context.network.probe(context)
        let name = probe.service.name
        switch probe.result {
        case .success(let response):
            switch response.status {
            case 200...299 where response.isWebPage, 401 where response.isWebPage, 403 where response.isWebPage,
                404 where response.isWebPage:
                return .fail(
                    "received a web page instead of a response from the service \(name) (\(response.status))",
                    next: [
                        "check that no proxy, firewall or login page of the network responds in its place",
                        "see which service is configured: clover config list --explain",
                    ])
            // The request has no token, so a refusal is expected.
            case 200...299, 401, 403, 404: return .ok("the service \(name) responds")
            case 429:
                return .warn(
                    "the service \(name) responds with 429: too many requests", next: ["clover limits --watch"])
            case 300...399:
                return .fail(
                    "the service \(name) responds with a redirect (\(response.status))",
                    next: ["check the environment: clover auth status"])
            default: return .fail(probe.error)
            }
        case .failure(.notHTTP), .failure(.headTooLarge), .failure(.cutOff), .failure(.connectionLost),
            .failure(.other):
            return .fail(probe.error)
        case .failure:
            return .skip("cannot check the service: no response")
        }
    }
}

/// Checks that the service's host name resolves and accepts connections.
struct NetworkCheck: DoctorCheck {
    func run(_ context: DoctorContext) async throws -> [Finding] {
        let probe = try await context.network.probe(context)
        switch probe.result {
        case .failure(.unknownHost), .failure(.timedOut):
            return .fail(probe.error)
        case .failure(.notConnected) where probe.proxy == nil:
            return .fail(probe.error)
        case .failure(.notConnected), .failure(.proxy):
            return .skip("cannot check the network: the proxy does not work")
        case .failure(.certificateFile):
            return .skip("cannot check the network: the CA certificates cannot be used")
        case .success, .failure:
            let address = probe.facts?.remoteAddress.map { " at \($0)" } ?? ""
            let time = probe.facts.map { " in \(Int(($0.timing.connect * 1000).rounded())) ms" } ?? ""
            return .ok("\(probe.host) is reached\(probe.proxy == nil ? address : " through the proxy")\(time)")
        }
    }
}

/// Checks the proxy named by the environment.
struct ProxyCheck: DoctorCheck {
    func run(_ context: DoctorContext) async throws -> [Finding] {
        let probe = try await context.network.probe(context)
        guard let proxy = probe.proxy else { return .ok("no proxy is set") }
        switch probe.result {
        case .failure(.proxy(let detail)), .failure(.notConnected(_, let detail)):
            return .fail(
                "the proxy \(proxy) does not work: \(detail)",
                next: [
                    "see the variables: env | grep -i _proxy",
                    "bypass it for this service: export no_proxy=\(probe.bareHost)",
                ])
        default: return .ok("the proxy \(proxy) works")
        }
    }
}

/// Checks that the service's certificate is trusted.
struct TLSCheck: DoctorCheck {
    func run(_ context: DoctorContext) async throws -> [Finding] {
        if let error = try await Self.unreadableFile(context) { return .fail(error) }
        let probe = try await context.network.probe(context)
        guard probe.isEncrypted else { return .ok("no TLS: \(probe.host) is on this machine") }
        switch probe.result {
        case .failure(.tls), .failure(.certificateFile): return .fail(probe.error)
        case .failure where (probe.facts?.timing.tls ?? 0) == 0:
            return .skip("cannot check TLS: no connection")
        case .success, .failure: return .ok("the certificate of \(probe.host) is trusted")
        }
    }

    /// The error of a CA file that cannot be read; nil if it can be read, or none is set. Without an encrypted connection,
    /// nothing else would read the file.
    static func unreadableFile(_ context: DoctorContext) async throws -> ServiceError? {
        guard let path = try await context.choice.completed(in: context.environment).certificateFile else { return nil }
        guard access(path, R_OK) != 0 else { return nil }
        let reason = String(cString: strerror(errno))
        return .unreachable(.certificateFile(path: path, detail: reason), url: "", retries: 0)
    }
}

/// Compares this machine's clock with the service's.
struct ClockCheck: DoctorCheck {
    /// A harmless difference, in seconds.
    private static let tolerance = 10.0
    /// A difference in seconds that breaks certificate checks and times in filters.
    private static let failureThreshold = 3600.0

    func run(_ context: DoctorContext) async throws -> [Finding] {
        guard case .success(let response) = try await context.network.probe(context).result else {
            return .skip("cannot check the clock: no response")
        }
        guard let lead = response.clockLead else {
            return .skip("cannot check the clock: the service sends no time")
        }
        let size = abs(lead)
        guard size > Self.tolerance else { return .ok("the clock agrees with the service's") }
        let span = DoctorContext.span(Int(size.rounded()))
        let difference = "clock is \(span) \(lead > 0 ? "ahead of" : "behind") the service"
        let next = ["sudo timedatectl set-ntp true"]
        if size > Self.failureThreshold {
            return .fail("\(difference): times in filters and certificate checks are wrong", next: next)
        }
        return .warn(
            "\(difference): tokens will be refreshed \(lead > 0 ? "early" : "late"), and times in filters are off",
            next: next)
    }
}

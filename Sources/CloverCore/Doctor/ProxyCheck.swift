import CloverHTTP

/// The proxy that the environment names.
struct ProxyCheck: DoctorCheck {
    func look(_ patient: Patient) async throws -> [Finding] {
        let sight = try await patient.network.sight(patient)
        guard let proxy = sight.proxy else { return [.ok(.proxy, "no proxy is set")] }
        switch sight.result {
        case .failure(.proxy(let detail)), .failure(.notConnected(_, let detail)):
            return [
                .fail(
                    .proxy, "the proxy \(proxy) does not work: \(detail)",
                    next: [
                        "see what is set: env | grep -i _proxy",
                        "do without it for this service: export no_proxy=\(sight.bareHost)",
                    ])
            ]
        default: return [.ok(.proxy, "the proxy \(proxy) works")]
        }
    }
}

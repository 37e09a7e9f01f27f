import CloverHTTP

/// That the service's name is known and somebody listens there.
struct NetworkCheck: DoctorCheck {
    func look(_ patient: Patient) async throws -> [Finding] {
        let sight = try await patient.network.sight(patient)
        switch sight.result {
        case .failure(.unknownHost), .failure(.timedOut):
            return [.fail(.network, sight.error)]
        case .failure(.notConnected) where sight.proxy == nil:
            return [.fail(.network, sight.error)]
        case .failure(.notConnected), .failure(.proxy):
            return [.skip(.network, "the network cannot be judged through a proxy that does not work")]
        case .failure(.certificateFile):
            return [.skip(.network, "the service was not asked: the certificates cannot be used")]
        case .success, .failure:
            let address = sight.facts?.remoteAddress.map { " at \($0)" } ?? ""
            let time = sight.facts.map { " in \(Int(($0.timing.connect * 1000).rounded())) ms" } ?? ""
            return [
                .ok(.network, "\(sight.host) is reached\(sight.proxy == nil ? address : " through the proxy")\(time)")
            ]
        }
    }
}

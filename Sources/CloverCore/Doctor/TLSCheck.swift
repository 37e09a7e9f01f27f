import CloverHTTP

/// That the service is who it says it is.
struct TLSCheck: DoctorCheck {
    func look(_ patient: Patient) async throws -> [Finding] {
        let sight = try await patient.network.sight(patient)
        guard sight.isEncrypted else { return [.ok(.tls, "no TLS: \(sight.host) is on this machine")] }
        switch sight.result {
        case .failure(.tls), .failure(.certificateFile): return [.fail(.tls, sight.error)]
        case .failure where (sight.facts?.timing.tls ?? 0) == 0:
            return [.skip(.tls, "TLS cannot be judged: there was no connection")]
        case .success, .failure: return [.ok(.tls, "the certificate of \(sight.host) is trusted")]
        }
    }
}

import CloverAPI
import CloverHTTP
import Glibc

/// That the service is who it says it is.
struct TLSCheck: DoctorCheck {
    func look(_ patient: Patient) async throws -> [Finding] {
        if let error = try await Self.unreadableFile(patient) { return [.fail(.tls, error)] }
        let sight = try await patient.network.sight(patient)
        guard sight.isEncrypted else { return [.ok(.tls, "no TLS: \(sight.host) is on this machine")] }
        switch sight.result {
        case .failure(.tls), .failure(.certificateFile): return [.fail(.tls, sight.error)]
        case .failure where (sight.facts?.timing.tls ?? 0) == 0:
            return [.skip(.tls, "TLS cannot be judged: there was no connection")]
        case .success, .failure: return [.ok(.tls, "the certificate of \(sight.host) is trusted")]
        }
    }

    /// What is wrong with the file of authorities, which nobody reads while there is no encrypted connection; nil when it
    /// can be read, or none is named.
    static func unreadableFile(_ patient: Patient) async throws -> ServiceError? {
        guard let path = try await patient.choice.completed(in: patient.environment).certificateFile else { return nil }
        guard access(path, R_OK) != 0 else { return nil }
        let reason = String(cString: strerror(errno))
        return .unreachable(.certificateFile(path: path, detail: reason), url: "", retries: 0)
    }
}

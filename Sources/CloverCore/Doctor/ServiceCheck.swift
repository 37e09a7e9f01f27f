import CloverAPI
import CloverHTTP

/// That what answers there is Clover.
struct ServiceCheck: DoctorCheck {
    func look(_ patient: Patient) async throws -> [Finding] {
        let sight = try await patient.network.sight(patient)
        let name = sight.service.name
        switch sight.result {
        case .success(let answer):
            switch answer.status {
            case 200...299 where answer.isWebPage, 401 where answer.isWebPage, 403 where answer.isWebPage,
                404 where answer.isWebPage:
                return [
                    .fail(
                        .service, "a web page came instead of a response of the service \(name) (\(answer.status))",
                        next: [
                            "check that no proxy, firewall or login page of the network answers in its place",
                            "see which service is meant: clover config list --explain",
                        ])
                ]
            // There was no token.
            case 200...299, 401, 403, 404: return [.ok(.service, "the service \(name) answers")]
            case 429:
                return [
                    .warn(
                        .service, "the service \(name) answers 429: this machine asks too often",
                        next: ["clover limits --watch"])
                ]
            case 300...399:
                return [
                    .fail(
                        .service, "the service \(name) answers with a redirection (\(answer.status))",
                        next: ["check the environment: clover auth status"])
                ]
            default: return [.fail(.service, sight.error)]
            }
        case .failure(.notHTTP), .failure(.headTooLarge), .failure(.cutOff), .failure(.connectionLost),
            .failure(.other):
            return [.fail(.service, sight.error)]
        case .failure:
            return [.skip(.service, "the service cannot be judged: there was no answer")]
        }
    }
}

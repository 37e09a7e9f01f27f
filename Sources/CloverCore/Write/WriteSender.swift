import CloverAPI
import CloverHTTP

/// Sends writes to one merchant's service, and explains what it refuses.
struct WriteSender: Sendable {
    let plan: WritePlan
    let client: ServiceClient
    let diagnosis: TokenDiagnosis
    let inspection: RecordInspection
    let flight: WriteFlight

    /// Sends one request.
    ///
    /// - Throws: `WriteFailure`, `TokenRefusal`, or what concerns no single request, such as a token that
    ///   cannot be renewed.
    func send(_ body: [UInt8]?, to path: ResourcePath) async throws -> WriteAnswer {
        let request = plan.request(at: path, body: body, base: client.url(path: "", query: ""))
        do {
            var answer = try await client.write(request, watch: flight.watch)
            flight.answer()
            do throws(CoreError) {
                answer.records = try inspection.pass(answer.records)
            } catch {
                // It was carried out all the same.
                let lost = LostAnswer(
                    status: answer.status, url: Redaction.url(request.url),
                    reason: "it is not JSON, so that its sensitive fields cannot be masked")
                throw WriteFailure(.answerLost(lost), plan.method, at: path)
            }
            return answer
        } catch let error as ServiceError {
            let explained = try await diagnosis.explained(error, at: path)
            guard let refusal = explained as? ServiceError else { throw explained }
            throw WriteFailure(.refused(refusal), plan.method, at: path)
        } catch let error as UnknownOutcome {
            if case .unreachable(.cancelled, _, _) = error.cause {
                flight.sayDoubt()
                throw CancellationError()
            }
            throw WriteFailure(.unknown(error), plan.method, at: path)
        } catch let error as LostAnswer {
            throw WriteFailure(.answerLost(error), plan.method, at: path)
        }
    }
}

import FoundationEssentials

/// Recognizes the form of Clover's error bodies. A proxy may respond with any status; only this form shows that Clover
/// itself has judged the request.
///
/// Forms: `{"message","error":{"type","code","message"}}`, `{"code","message","type"}`,
/// `{"message","requestType","type"}`, and `{"message":"401 Unauthorized"}` alone (Clover: ecommerce response codes;
/// REST Pay Display; recorded responses).
package enum ServiceErrorForm {
    /// - Parameter status: the response's status, which a message on its own repeats.
    package static func matches(status: Int, _ body: [UInt8]) -> Bool {
        let answer: Answer
        do {
            answer = try JSONDecoder().decode(Answer.self, from: Data(body))
        } catch {
            return false
        }
        if let inner = answer.error { return inner.type != nil || inner.code != nil }
        guard let message = answer.message else { return false }
        return answer.type != nil || answer.requestType != nil || answer.code != nil
            || message.hasPrefix("\(status) ")
    }

    private struct Answer: Decodable {
        var message: String?
        var type: String?
        var requestType: String?
        var code: Word?
        var error: Inner?

        struct Inner: Decodable {
            var type: String?
            var code: Word?
        }

        /// A code is a string or a number.
        struct Word: Decodable {
            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                do {
                    _ = try container.decode(String.self)
                } catch {
                    _ = try container.decode(Int.self)
                }
            }
        }
    }
}

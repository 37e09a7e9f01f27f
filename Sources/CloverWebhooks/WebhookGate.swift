package import CloverHTTP
import CloverSystem

/// Decides which requests the listener accepts, without a socket or a clock.
package struct WebhookGate: Sendable {
    /// The code in the header `X-Clover-Auth` of an app's webhooks; nil accepts none of them.
    package var authCode: Secret?
    /// The secret under which Hosted Checkout's webhooks are signed; nil accepts none of them.
    package var signingSecret: Secret?
    /// Greatest difference between a signature's time and now, in seconds.
    package var tolerance: Double

    package init(
        authCode: Secret?, signingSecret: Secret? = nil, tolerance: Double = WebhookSignature.defaultTolerance
    ) {
        self.authCode = authCode
        self.signingSecret = signingSecret
        self.tolerance = tolerance
    }

    /// Maximum size in bytes of a body without the right code. Clover may set up a webhook without it, and a body of
    /// Hosted Checkout must be read before its signature can be checked; both have a few hundred bytes.
    private static let untrustedLimit = 64 << 10

    /// What the head of a request proves.
    package enum Proof: Sendable, Equatable {
        /// It has the right code.
        case authCode
        /// It has a signature, which only the body can confirm; the header's value.
        case signature(String)
        /// Nothing: only the set-up of a webhook is accepted.
        case none
    }

    /// What the listener does with a request.
    package enum Outcome: Sendable, Equatable {
        /// Prints the code that the dashboard asks for.
        case verification(code: String)
        /// Stores the body, if it has events. `isSigned`: whether it has a valid signature.
        case store(isSigned: Bool)
        case refuse(WebhookRefusal)
    }

    /// - Parameters:
    ///   - authCode: the value of `X-Clover-Auth`; nil if the request has none.
    ///   - signature: the value of `Clover-Signature`; nil if the request has none.
    package func proof(authCode: String?, signature: String?) -> Proof {
        if let authCode, let expected = self.authCode,
            ConstantTime.areEqual(Array(authCode.utf8), Array(expected.exposed.utf8))
        {
            return .authCode
        }
        if let signature, signingSecret != nil { return .signature(signature) }
        return .none
    }

    /// The refusal of events that have no proof.
    ///
    /// - Parameter signature: the value of `Clover-Signature`; nil if the request has none.
    private func refusal(signature: String?) -> WebhookRefusal {
        signature != nil && signingSecret == nil ? .noSigningSecret : .unauthorized
    }

    /// Maximum size of the body in bytes.
    package func limit(for proof: Proof) -> Int { proof == .authCode ? WebhookBody.limit : Self.untrustedLimit }

    /// What to answer to a body that is larger than the limit.
    package func refusal(ofLargeBodyWith proof: Proof) -> WebhookRefusal {
        proof == .none ? .unauthorized : .tooLarge
    }

    /// - Parameters:
    ///   - signature: the value of `Clover-Signature`; nil if the request has none.
    ///   - now: in seconds since 1970.
    package func outcome(of body: [UInt8], _ proof: Proof, signature: String?, now: Int64) -> Outcome {
        let isSigned = isValid(signature, of: body, now: now)
        if case .signature = proof, !isSigned { return .refuse(.badSignature) }
        do throws(WebhookBodyError) {
            switch try WebhookBody(body) {
            case .verification(let code): return .verification(code: code)
            case .events(let events):
                if proof == .none { return .refuse(refusal(signature: signature)) }
                // The code of an app says nothing about a payment on a page of Hosted Checkout, nor does a merchant's
                // signature about the events of an app.
                if events.contains(where: { $0.kind == WebhookEvent.checkout }) {
                    if !isSigned { return .refuse(signingSecret == nil ? .noSigningSecret : .badSignature) }
                } else if proof != .authCode {
                    return .refuse(.unauthorized)
                }
                return .store(isSigned: isSigned)
            }
        } catch {
            return .refuse(proof == .none ? refusal(signature: signature) : .badBody(error))
        }
    }

    private func isValid(_ signature: String?, of body: [UInt8], now: Int64) -> Bool {
        guard let signature, let signingSecret else { return false }
        do throws(WebhookSignatureError) {
            try WebhookSignature(parsing: signature)
                .verify(body, secret: signingSecret, now: now, tolerance: tolerance)
            return true
        } catch {
            return false
        }
    }
}

/// Why the listener refused a request.
package enum WebhookRefusal: Error, Equatable, Sendable {
    /// Not a POST request.
    case method
    /// `X-Clover-Auth` is missing or wrong.
    case unauthorized
    /// `Clover-Signature` is missing, not valid, or too old.
    case badSignature
    /// It is signed, or of Hosted Checkout, and the listener has no signing secret.
    case noSigningSecret
    /// The body is larger than ``WebhookBody/limit``.
    case tooLarge
    /// The body is not that of a webhook.
    case badBody(WebhookBodyError)
    /// The body could not be stored; Clover may send it again. `isFull`: the device has no room.
    case notStored(isFull: Bool)
    /// The code of a set-up could not be shown; the dashboard can send it again.
    case notShown
    /// Too many bodies are arriving at once; Clover may send it again.
    case busy

    /// The status of the response (RFC 9110, section 15).
    package var status: Int {
        switch self {
        case .method: 405
        case .unauthorized, .badSignature, .noSigningSecret: 401
        case .tooLarge: 413
        case .badBody: 400
        case .notStored, .notShown, .busy: 503
        }
    }

    /// What the response says, in one line. A stranger reads it: whether there is a signing secret is not in it.
    package var text: String {
        switch self {
        case .method: "webhooks are sent with POST"
        case .unauthorized: "X-Clover-Auth is missing or wrong"
        case .badSignature, .noSigningSecret: "Clover-Signature is missing, not valid here, or too old"
        case .tooLarge: "the body is larger than 1 MiB"
        case .badBody: "the body is not that of a webhook"
        case .notStored: "the event cannot be stored now"
        case .notShown: "the code cannot be shown now"
        case .busy: "too many requests at once"
        }
    }
}

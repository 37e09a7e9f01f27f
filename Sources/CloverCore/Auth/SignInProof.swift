import CloverAuth
import CloverHTTP

/// How the one who exchanges a code shows that it was meant for him.
enum SignInProof: Sendable {
    /// Proof key for code exchange (RFC 7636): the default, which needs no secret on this machine.
    case verifier(CodeVerifier)
    /// The app's own secret: for its developer's machine.
    case appSecret(Secret)
    /// None, for a code that was asked for without a challenge by an app without a secret.
    case none

    init(secret: Secret?) {
        self = secret.map { .appSecret($0) } ?? .verifier(CodeVerifier())
    }

    var challenge: String? {
        if case .verifier(let verifier) = self { return verifier.challenge }
        return nil
    }

    /// As the exchange takes it.
    var proof: Proof {
        switch self {
        case .verifier(let verifier): .verifier(verifier.secret)
        case .appSecret(let secret): .appSecret(secret)
        case .none: .none
        }
    }

    /// What no message may show.
    var secret: Secret? {
        switch self {
        case .verifier(let verifier): verifier.secret
        case .appSecret(let secret): secret
        case .none: nil
        }
    }
}

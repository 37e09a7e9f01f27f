/// Why what the browser brought back is not a sign-in. Facts only; texts of the service are cut short and cleaned, and
/// no case holds a code or a token.
package enum SignInError: Error, Equatable, Sendable {
    /// Not 43 to 128 letters, digits and `-._~` (RFC 7636, section 4.1).
    case malformedVerifier
    /// Not an address with a query or a fragment.
    case notARedirect
    /// A part of the query or fragment cannot be decoded; its name, where that much could be read.
    case malformedParameter(String)
    /// A parameter that decides something is there twice (RFC 6749, section 3.1).
    case repeatedParameter(String)
    /// The address carries no `state`, although this sign-in sent one.
    case missingState
    /// The address carries the `state` of another sign-in.
    case wrongState
    /// The person said no.
    case denied(description: String?)
    /// The service sent an error of another kind (RFC 6749, section 4.1.2.1).
    case serviceError(code: String, description: String?)
    /// The answer is for another app.
    case otherApp(found: String, expected: String)
    /// The answer is for another merchant.
    case otherMerchant(found: String, expected: String)
    /// The merchant in the answer is not 1 to 64 letters and digits, or there are two different ones.
    case malformedMerchant
    /// Neither a code nor a token is in the address.
    case noCode
    /// The code or token has no characters, too many, or some that no request can carry.
    case unusableCode
}

extension SignInError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .malformedVerifier: "the code verifier is not 43 to 128 letters, digits, '-', '.', '_' or '~'"
        case .notARedirect: "this is not an address that a browser was sent to after signing in"
        case .malformedParameter(let name): "the address has a damaged parameter '\(name)'"
        case .repeatedParameter(let name): "the address has the parameter '\(name)' twice"
        case .missingState: "the address lacks the 'state' that this sign-in sent"
        case .wrongState: "the address belongs to another sign-in: its 'state' is not the one that was sent"
        case .denied(let description): "access was denied" + Self.appendix(description)
        case .serviceError(let code, let description):
            "the service answered with the error '\(code)'" + Self.appendix(description)
        case .otherApp(let found, let expected): "the answer is for app \(found), not for app \(expected)"
        case .otherMerchant(let found, let expected):
            "the answer is for merchant \(found), not for merchant \(expected)"
        case .malformedMerchant: "the address does not say clearly which merchant it is for"
        case .noCode: "the address holds neither a code nor a token"
        case .unusableCode: "the code or token cannot be used: it is empty, too long, or holds unusual characters"
        }
    }

    private static func appendix(_ description: String?) -> String {
        description.map { ": " + $0 } ?? ""
    }
}

package import CloverStorage

/// Why a credential cannot be read or kept. No case holds a byte of a token.
package enum CredentialError: Error, Equatable, Sendable {
    /// Not a known environment, nor a short enough http or https URL.
    case invalidEnvironment(String)
    /// Not 1 to 64 ASCII letters and digits.
    case invalidMerchant(String)
    /// Not 1 to 64 ASCII letters and digits, or the reserved word `static`.
    case invalidApp(String)
    /// A token of this field is empty, too long, or has characters that no header can carry.
    case unusableToken(field: String)
    /// Directory or file cannot be used: loose mode, other owner, link, wrong kind, size, or a failed call.
    case storage(StorageError)
    /// The file is not JSON, or not an object.
    case notJSON(path: String)
    /// The file is JSON, but this field is missing or cannot be understood.
    case malformed(path: String, field: String)
    /// A later version of this program wrote the file.
    case newerVersion(path: String, found: Int, supported: Int)
    /// The file says that it belongs to another key than the one its name is for.
    case otherKey(path: String)
    /// Foundation's encoder refused plain strings and numbers.
    case notEncodable
}

extension CredentialError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .invalidEnvironment(let text): "'\(text)' is not an environment"
        case .invalidMerchant(let text): "'\(text)' is not a merchant id"
        case .invalidApp(let text): "'\(text)' is not an app id"
        case .unusableToken(let field): "the \(field) cannot be used in a request"
        case .storage(let error): error.description
        case .notJSON(let path): "\(path) is not a JSON object"
        case .malformed(let path, let field): "\(path) has no usable '\(field)'"
        case .newerVersion(let path, let found, let supported):
            "\(path) has version \(found), and this program knows versions up to \(supported)"
        case .otherKey(let path): "\(path) belongs to another credential than its name says"
        case .notEncodable: "the credential cannot be written as JSON"
        }
    }
}

extension CredentialError {
    /// Runs work on files and passes its errors on as `.storage`.
    static func wrapping<Value: ~Copyable>(
        _ work: () throws(StorageError) -> Value
    ) throws(CredentialError) -> Value {
        do {
            return try work()
        } catch {
            throw .storage(error)
        }
    }
}

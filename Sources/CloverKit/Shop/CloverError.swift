import CloverAPI
import CloverAuth
import CloverHTTP
import CloverJSON

/// Why something was not read or written, or not completely.
///
/// ```swift
/// do {
///     print(try await shop.orders.all().count)
/// } catch let error as CloverError {
///     switch error.kind {
///     case .request: print("correct the program:", error.message)
///     case .notSignedIn, .forbidden: print("sign in again, or ask for the permission:", error.message)
///     case .notFound, .refused, .unreadable: print(error.status ?? 0, error.message, error.requestID ?? "")
///     case .rateLimited, .unavailable, .incomplete: print("try again later:", error.message)
///     case .outcomeUnknown, .responseLost: print("look before you send it again:", error.message)
///     case .state: print("the state directory:", error.message)
///     }
///     print(error.nextStep)
/// }
/// ```
public struct CloverError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of problem it is.
    public internal(set) var kind: Kind
    /// The HTTP status of Clover's response; nil if none came, or if the response is not the problem.
    public let status: Int?
    /// What failed and why, with Clover's own words where there are any. It has no secrets.
    public internal(set) var message: String
    /// What to do next.
    public internal(set) var nextStep: String
    /// Clover's own id of the refused request, which its support asks for; nil if Clover sent none.
    public internal(set) var requestID: String?

    /// What a program can decide by.
    public enum Kind: Sendable, Hashable {
        /// The request makes no sense: an unknown path, filter, field or environment. Nothing was sent.
        case request
        /// There is no sign-in, several fit, or Clover does not accept its tokens any more.
        case notSignedIn
        /// The token lacks a permission, or is not valid.
        case forbidden
        /// Clover has no such record.
        case notFound
        /// Another refusal of Clover.
        case refused
        /// Clover still limited requests after all retries.
        case rateLimited
        /// Clover failed, or could not be reached, also after all retries.
        case unavailable
        /// The response cannot be understood.
        case unreadable
        /// Records, or lists in them, are missing.
        case incomplete
        /// A write may or may not have been carried out. Check before you send it again.
        case outcomeUnknown
        /// A write was carried out, but its response did not arrive. Do not send it again.
        case responseLost
        /// The state directory of this machine cannot be used.
        case state
    }

    public var description: String { "\(message); \(nextStep)" }

    /// The error to throw in place of one of the modules below, where no request was refused.
    package static func wrapping(_ error: any Error) -> any Error { wrapping(error, nil) }

    /// The error to throw in place of one of the modules below. `CancellationError` stays what it is.
    ///
    /// - Parameter refusals: knows the ids of refused requests; nil if none was sent.
    static func wrapping(_ error: any Error, _ refusals: RefusedRequests?) -> any Error {
        switch error {
        case is CancellationError, is CloverError: return error
        case HTTPTransportError.cancelled, RefreshError.cancelled: return CancellationError()
        case let error as ServiceError:
            var wrapped = CloverError(error)
            if wrapped.status != nil { wrapped.requestID = refusals?.identifier(mentionedIn: wrapped.message) }
            return wrapped
        case let error as IndeterminateWriteError:
            var wrapped = CloverError(error.cause)
            if wrapped.status != nil { wrapped.requestID = refusals?.identifier(mentionedIn: wrapped.message) }
            wrapped.kind = .outcomeUnknown
            wrapped.message = "the \(error.method.rawValue) may have been carried out: \(wrapped.message)"
            wrapped.nextStep = "see what is there before you send it again"
            return wrapped
        case let error as ResponseLostError:
            return CloverError(
                kind: .responseLost, status: error.status,
                message: "the write was carried out, but its response is incomplete: \(error.reason): \(error.url)",
                nextStep: "do not send it again; read the record")
        case let error as QueryError: return request(words(for: error), "correct the request")
        case let error as BodyError: return request(words(for: error), "correct the record")
        case is JSONCheck.Fault: return request("the body is not JSON", "correct the body")
        case let error as CredentialError:
            return CloverError(
                kind: .state, status: nil, message: error.description, nextStep: "see 'clover doctor'")
        case let error as RefreshError:
            return CloverError(
                kind: .notSignedIn, status: nil, message: "the tokens could not be renewed: \(error)",
                nextStep: "see 'clover auth status'")
        default:
            return CloverError(kind: .state, status: nil, message: "\(error)", nextStep: "see 'clover doctor'")
        }
    }

    private static func words(for error: QueryError) -> String {
        switch error {
        case .unknownName(let name, let role, let path, let others):
            "\(path) has no \(role.rawValue) '\(name)'" + (others.isEmpty ? "" : ": \(others.joined(separator: ", "))")
        case .notTaken(let role, let path): "\(path) takes no \(role.rawValue)"
        case .unknownPath(let path, let others, _):
            "Clover has no path \(path)" + (others.isEmpty ? "" : ": \(others.joined(separator: ", "))")
        case .methodNotTaken(let method, let path, _): "\(path) does not take \(method.rawValue)"
        case .unfilledName(let name, let path): "\(path) needs a value for {\(name)}"
        case .unknownEnvironment(let name): "there is no environment '\(name)'"
        case .sortAcrossWindows(let field, let path, let time): "\(path) is sorted by \(time) only, not by \(field)"
        case .reversedTimeRange(let field, _, _): "no time matches the filters by \(field)"
        default: "\(error)"
        }
    }

    private static func words(for error: BodyError) -> String {
        switch error {
        case .unknownField(let name, let model, let others):
            "\(model) has no field \(name)" + (others.isEmpty ? "" : ": \(others.joined(separator: ", "))")
        case .unfit(let name, _, _), .wrongValue(_, let name, _): "the field \(name) cannot have this value"
        default: "\(error)"
        }
    }

    static func request(_ message: String, _ nextStep: String) -> CloverError {
        CloverError(kind: .request, status: nil, message: message, nextStep: nextStep)
    }

    static func unreadable(_ message: String) -> CloverError {
        CloverError(kind: .unreadable, status: nil, message: message, nextStep: "try again later")
    }

    static func incomplete(_ message: String) -> CloverError {
        CloverError(
            kind: .incomplete, status: nil, message: message, nextStep: "read again, or ask for a shorter time")
    }

    package static func signIn(isAmbiguous: Bool) -> CloverError {
        isAmbiguous
            ? CloverError(
                kind: .notSignedIn, status: nil, message: "several sign-ins fit", nextStep: "name the merchant")
            : CloverError(
                kind: .notSignedIn, status: nil, message: "no sign-in fits", nextStep: "run 'clover auth login'")
    }
}

extension CloverError {
    /// An error without a response.
    package init(_ kind: Kind, _ message: String, nextStep: String) {
        self.init(kind: kind, status: nil, message: message, nextStep: nextStep)
    }

    private init(_ error: ServiceError) {
        func text(_ words: String, _ url: String, _ message: String?) -> String {
            "\(words): \(url)" + (message.map { ": \($0)" } ?? "")
        }
        switch error {
        case .unauthorized(let url, let message):
            self.init(
                kind: .forbidden, status: 401, message: text("Clover refused the token (401)", url, message),
                nextStep: "check the permissions of the app or token")
        case .forbidden(let url, let message):
            self.init(
                kind: .forbidden, status: 403, message: text("Clover refused the request (403)", url, message),
                nextStep: "check the permissions of the app or token")
        case .notFound(let url, let message):
            self.init(
                kind: .notFound, status: 404, message: text("Clover has no such record (404)", url, message),
                nextStep: "check the id and the merchant")
        case .refused(let status, let url, let message):
            self.init(
                kind: .refused, status: status, message: text("Clover refused the request (\(status))", url, message),
                nextStep: "correct the request")
        case .rateLimited(let url, _, _, _, let message):
            self.init(
                kind: .rateLimited, status: 429, message: text("Clover limits requests (429)", url, message),
                nextStep: "try again later")
        case .paused(_, let url, _):
            self.init(
                kind: .rateLimited, status: 429, message: text("Clover limits requests", url, nil),
                nextStep: "try again later")
        case .failed(let status, let url, _, _, let message):
            self.init(
                kind: .unavailable, status: status, message: text("Clover failed (\(status))", url, message),
                nextStep: "try again later")
        case .unreachable(let reason, let url, _):
            self.init(
                kind: .unavailable, status: nil, message: text("no complete response", url, "\(reason)"),
                nextStep: "check the network, and try again")
        case .redirected(let status, let url, _, _):
            self.init(
                kind: .refused, status: status, message: text("a redirect that is not followed", url, nil),
                nextStep: "check the environment")
        case .unreadable(let reason, let url, _):
            self.init(
                kind: .unreadable, status: 200, message: text("the response cannot be read", url, "\(reason)"),
                nextStep: "try again later")
        case .filterIgnored(let fields, let url, let allowed):
            self.init(
                kind: .request, status: 200,
                message: text("Clover does not filter by \(fields.joined(separator: ", "))", url, nil),
                nextStep: "filter by one of \(allowed.joined(separator: ", "))")
        }
    }
}

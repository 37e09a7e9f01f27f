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
///     case .rateLimited: print("try again in", error.retryAfter ?? .seconds(60), error.message)
///     case .unavailable, .incomplete: print("try again later:", error.message)
///     case .untrusted: print("check the address and the certificate:", error.message)
///     case .outcomeUnknown, .responseLost: print("look before you send it again:", error.message)
///     case .state: print("the state directory:", error.message)
///     }
///     print(error.nextStep)
/// }
/// ```
public struct CloverError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of problem it is.
    public internal(set) var kind: Kind
    /// The HTTP status of Clover's response to this call, also of one that was cut off; nil if none came, if the call was not sent
    /// because of a pause that an earlier response demanded, or if the response is not the problem.
    public let status: Int?
    /// What failed and why, with Clover's own words where there are any. It has no secrets.
    public internal(set) var message: String
    /// What to do next.
    public internal(set) var nextStep: String
    /// Clover's own id of the request that the error is about, which its support asks for; nil if the response had none, or if
    /// the error is about no single request.
    public internal(set) var requestID: String?
    /// How long Clover asks to wait, from the time of the error; nil if it is not known. Of a call that was not sent, the rest of
    /// the pause.
    public internal(set) var retryAfter: Duration?

    /// What a program can decide by.
    public enum Kind: Sendable, Hashable {
        /// The request makes no sense: an unknown path, filter, sort order, field or environment, or a certificate file that
        /// cannot be used. Nothing was written; nothing was sent,
        /// except where only Clover's response shows that it does not apply a filter.
        case request
        /// There is no sign-in, several fit, or Clover does not accept its tokens any more.
        case notSignedIn
        /// The token lacks a permission, or is not valid.
        case forbidden
        /// Clover has no such record.
        case notFound
        /// Another refusal of Clover.
        case refused
        /// Clover still limited requests after all retries, or for longer than `Shop.Options.longestPause`. Of a call that was
        /// not sent, because the pause had begun before, `status` is nil.
        case rateLimited
        /// Clover failed, or could not be reached, also after all retries.
        case unavailable
        /// There is no trusted connection: the server does not speak TLS, or its certificate is not trusted or not for this
        /// address. Trying again does not help.
        case untrusted
        /// The response cannot be understood.
        case unreadable
        /// Records, or lists in them, are missing, although no request failed. If one did, the kind is that of its failure.
        case incomplete
        /// A write may or may not have been carried out. Check before you send it again.
        case outcomeUnknown
        /// A write was carried out, but its response did not arrive. Do not send it again.
        case responseLost
        /// The state directory of this machine cannot be used, or the programs of this user have a database in its place.
        case state
    }

    public var description: String { "\(message); \(nextStep)" }

    /// Runs a call of the library, and throws its error as `CloverError` or `CancellationError`. The responses to its requests,
    /// and to no others, say which status and id belong to the error.
    package static func during<Value>(_ call: () async throws -> Value) async throws -> Value {
        try await ResponseTrace.$current.withValue(ResponseTrace()) {
            do {
                return try await call()
            } catch {
                throw wrapping(error)
            }
        }
    }

    /// The error to throw in place of one of the modules below. `CancellationError` stays what it is.
    package static func wrapping(_ error: any Error) -> any Error {
        switch error {
        case is CancellationError, is CloverError: return error
        case HTTPTransportError.cancelled, CredentialError.cancelled: return CancellationError()
        case let error as ServiceError: return CloverError(error)
        case let error as TruncatedListError: return CloverError(error)
        case let error as FilterContradiction:
            return contradiction(error)
        case let error as IndeterminateWriteError:
            var wrapped = CloverError(error.cause)
            wrapped.kind = .outcomeUnknown
            wrapped.message = "the \(error.method.rawValue) may have been carried out: \(wrapped.message)"
            wrapped.nextStep = "see what is there before you send it again"
            return wrapped
        case let error as ResponseLostError:
            return CloverError(
                kind: .responseLost, status: error.status,
                message: "the write was carried out, but its response is incomplete: \(error.reason): \(error.url)",
                nextStep: "do not send it again; read the record",
                requestID: ResponseTrace.current?.latest(of: error.url)?.requestID)
        case let error as QueryError: return request(error.words, error.nextStep)
        case let error as BodyError: return request(error.words, "correct the record")
        case is JSONCheck.Fault: return request("the body is not JSON", "correct the body")
        case is EncodingError:
            return request("a number of the body is not finite, or too large to be encoded", "correct the record")
        case let error as ImpossibleOldestRecord:
            return unreadable(
                "a record of \(error.list) has the \(error.field) \(error.time), which is before 1900, so that the list cannot "
                    + "be divided by time", "filter by a range of \(error.field)")
        case let error as CredentialError: return CloverError(error)
        default:
            return CloverError(kind: .state, status: nil, message: "\(error)", nextStep: "see 'clover doctor'")
        }
    }

    /// - Parameter list: the list that was read; nil if unknown.
    static func contradiction(_ error: FilterContradiction, of list: String? = nil) -> CloverError {
        let record = "a record" + (list.map { " of \($0)" } ?? "") + (error.id.map { ", \($0)," } ?? "")
        return request(
            "Clover does not apply the filter \(error.field)\(error.condition): \(record) has \(error.value)",
            "leave the filter out, and compare the records yourself")
    }

    /// The same error of a part of something else.
    ///
    /// - Parameters:
    ///   - words: what failed, as a clause, which the message then explains.
    ///   - step: what follows the next step.
    package func explaining(_ words: String, _ step: String) -> CloverError {
        var error = self
        error.message = "\(words): \(message)"
        error.nextStep = "\(nextStep); \(step)"
        return error
    }

    static func request(_ message: String, _ nextStep: String) -> CloverError {
        CloverError(kind: .request, status: nil, message: message, nextStep: nextStep)
    }

    static func unreadable(_ message: String, _ nextStep: String = "try again later") -> CloverError {
        CloverError(kind: .unreadable, status: nil, message: message, nextStep: nextStep)
    }

    static func incomplete(_ message: String) -> CloverError {
        CloverError(
            kind: .incomplete, status: nil, message: message, nextStep: "read again, or ask for a shorter time")
    }

    /// - Parameters:
    ///   - merchantID: the merchant that was named; nil for any.
    ///   - environment: the environment that was named; nil for any.
    package static func signIn(
        isAmbiguous: Bool, merchantID: String? = nil, environment: String? = nil
    ) -> CloverError {
        let wanted = [merchantID.map { "the merchant \($0)" }, environment.map { "the environment \($0)" }]
            .compactMap(\.self).joined(separator: " and ")
        let names = merchantID == nil ? "name the merchant, or " : environment == nil ? "name the environment, or " : ""
        return isAmbiguous
            ? CloverError(
                .notSignedIn, wanted.isEmpty ? "there are several sign-ins" : "several sign-ins fit \(wanted)",
                nextStep: names + "choose one of them with 'clover auth switch'")
            : CloverError(
                .notSignedIn, wanted.isEmpty ? "there is no sign-in" : "no sign-in fits \(wanted)",
                nextStep: "run 'clover auth login --app-id APP'")
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
        case .rateLimited(let url, _, _, let wait, let message):
            self.init(
                kind: .rateLimited, status: 429, message: text("Clover limits requests (429)", url, message),
                nextStep: "try again later", retryAfter: wait.map { .seconds($0) })
        case .paused(let seconds, let url, _):
            self.init(
                kind: .rateLimited, status: nil,
                message: text(
                    "Clover limits requests for \(Int(seconds.rounded(.up))) more seconds, so this request was not sent",
                    url, nil),
                nextStep: "try again then, or allow a longer pause", retryAfter: .seconds(seconds))
            return
        case .failed(let status, let url, _, let wait, let message):
            self.init(
                kind: .unavailable, status: status, message: text("Clover failed (\(status))", url, message),
                nextStep: "try again later", retryAfter: wait.map { .seconds($0) })
        case .unreachable(let reason, let url, _):
            self.init(
                kind: reason.kind, status: ResponseTrace.current?.latest(of: url)?.status,
                message: text("no complete response", url, "\(reason)"), nextStep: reason.nextStep)
        case .redirected(let status, let url, _, _):
            self.init(
                kind: .refused, status: status, message: text("a redirect that is not followed", url, nil),
                nextStep: "check the environment")
        case .unreadable(let reason, let url, _):
            self.init(
                kind: .unreadable, status: ResponseTrace.current?.latest(of: url)?.status,
                message: text("the response cannot be read", url, "\(reason)"), nextStep: "try again later")
        case .filterIgnored(let fields, let url, let allowed):
            self.init(
                kind: .request, status: ResponseTrace.current?.latest(of: url)?.status,
                message: text("Clover does not filter by \(fields.joined(separator: ", "))", url, nil),
                nextStep: "filter by one of \(allowed.joined(separator: ", "))")
        }
        requestID = ResponseTrace.current?.latest(of: error.url)?.requestID
    }

    private init(_ error: TruncatedListError) {
        let words = "\(error.record.words) could not be completed"
        guard let cause = error.cause else {
            self = .incomplete("\(words): \(error.record.reason.words)")
            return
        }
        self.init(cause)
        message = "\(words): \(message)"
    }
}

import CloverAPI
import CloverAuth
import CloverCalendar
import CloverHTTP
import CloverJSON

// What the errors of the modules below mean to a program that uses the library.

extension CloverError {
    init(_ error: CredentialError) {
        switch error {
        case .invalidEnvironment, .invalidMerchant, .invalidApp, .invalidProfile, .unusableToken:
            self = .request(error.description, "correct the parameter")
        default: self.init(.state, error.description, nextStep: "see 'clover doctor'")
        }
    }

    /// The error to throw in place of one of a renewal. Cancellation is `CancellationError`.
    static func renewing(_ key: CredentialKey, _ error: RefreshError) -> any Error {
        switch error {
        case .cancelled, .credential(.cancelled): CancellationError()
        default: CloverError(error, of: key)
        }
    }

    private init(_ error: RefreshError, of key: CredentialKey) {
        let message = "the tokens of \(key.words) could not be renewed: \(error)"
        let again =
            "run 'clover auth login --environment \(key.environment) --merchant \(key.merchantID)"
            + (key.appID.map { " --app-id \($0)" } ?? "") + "'"
        switch error {
        case .notSignedIn, .notRenewable, .noRefreshToken, .lost, .notKept, .cancelled:
            self.init(.notSignedIn, message, nextStep: again)
        case .refused(let status, _, _):
            self.init(kind: .notSignedIn, status: status, message: message, nextStep: again)
        case .unreachable(let cause): self.init(cause.kind, message, nextStep: cause.nextStep)
        case .unavailable(let cause):
            self.init(
                kind: .unavailable, status: OAuthError.outcomeUnknown(cause).status, message: message,
                nextStep: "try again later")
        case .service(let cause):
            self.init(
                kind: .unavailable, status: cause.status, message: message,
                nextStep: "check the environment and the app's id, or try again later")
        case .rateLimited(let wait):
            self.init(
                kind: .rateLimited, status: 429, message: message, nextStep: "try again later",
                retryAfter: wait.map { .seconds($0) })
        case .credential:
            self.init(
                .state, "the tokens of \(key.words) cannot be used: \(error)", nextStep: "see 'clover doctor'")
        }
    }
}

extension OAuthError {
    /// The status of the response; nil if none came.
    var status: Int? {
        switch self {
        case .refused(let status, _), .refusedOtherwise(let status, _), .redirected(let status, _),
            .otherStatus(let status, _), .outcomeUnknown(.status(let status, _)),
            .outcomeUnknown(.unreadable(let status)), .outcomeUnknown(.noAccessToken(let status, _, _)):
            status
        case .rateLimited: 429
        case .notSent, .outcomeUnknown(.transport): nil
        }
    }
}

extension HTTPTransportError {
    /// What it means for the call, as the codes of the program tell it.
    var kind: CloverError.Kind {
        switch self {
        case .tls: .untrusted
        case .certificateFile: .request
        case .unknownHost, .notConnected, .proxy, .timedOut, .connectionLost, .cutOff, .notHTTP, .headTooLarge,
            .libraryMissing, .cancelled, .heldBack, .other:
            .unavailable
        }
    }

    var nextStep: String {
        switch self {
        case .tls: "check the address; for a private authority, set Shop.Options.certificateFile"
        case .certificateFile: "name a PEM file in Shop.Options.certificateFile"
        case .proxy: "check http_proxy, https_proxy and no_proxy"
        case .libraryMissing: "install libcurl"
        case .notHTTP, .headTooLarge: "check the environment and the proxy"
        case .unknownHost, .notConnected, .timedOut, .connectionLost, .cutOff, .cancelled, .heldBack, .other:
            "check the network, and try again"
        }
    }
}

extension RecordPager.TruncatedRecord {
    /// Such as `lineItems of ORDER`.
    var words: String { "\(list) of \(id ?? "a record without an id")" }
}

extension RecordPager.TruncatedRecord.Reason {
    var words: String {
        switch self {
        case .noEndpoint: "Clover shows the first 100 entries only"
        case .failed(let reason): reason
        case .shorter: "it is shorter where Clover lists its entries"
        case .tooLarge: "it is too large"
        }
    }
}

extension RecordPager.Summary {
    /// Why the list is not whole; nil if it is.
    var gap: String? {
        if let failure = windows.lazy.compactMap(\.failure).first { return failure }
        if let record = truncatedRecords.first { return "\(record.words): \(record.reason.words)" }
        if let id = gapsNear.first { return "records changed faster than they could be read, near \(id)" }
        if let shortage = shortages.first {
            return "the list has \(shortage.rows) rows, and only \(shortage.records) different records"
        }
        return twins.first.map { "\($0) came twice, with different contents" }
    }
}

extension QueryError {
    var words: String {
        func near(_ names: [String]) -> String { names.isEmpty ? "" : ": \(names.joined(separator: ", "))" }
        return switch self {
        case .unknownEnvironment(let name): "there is no environment '\(name)'"
        case .malformedAddress(let address): "'\(address)' is not the address of a service"
        case .insecureAddress(let address): "'\(address)' would send the token unencrypted"
        case .unknownPath(let path, let others, _): "Clover has no path \(path)\(near(others))"
        case .malformedPath(let path, let fault): "'\(path)' is not a path: \(fault.words)"
        case .methodNotTaken(let method, let path, _), .noSuchOperation(let method, let path, _):
            "\(path) does not take \(method.rawValue)"
        case .otherService(_, let path): "\(path) belongs to another service of Clover"
        case .noEcommerce(let environment, let path):
            "\(path) is read from the Ecommerce API, which '\(environment)' does not have"
        case .headerMissing(let name, let meaning, let path): "\(path) needs the header \(name), \(meaning)"
        case .unfilledName(let name, let path): "\(path) needs a value for {\(name)}"
        case .aliasIdentifiers(let alias, let path, let given):
            "'\(alias)' stands for \(path), and \(given) ids were given"
        case .unknownName(let name, .filter, let path, let others) where others.isEmpty:
            "the catalogue does not say whether Clover filters \(path) by \(name)"
        case .unknownName(let name, let role, let path, let others):
            "\(path) has no \(role.rawValue) '\(name)'\(near(others))"
        case .notTaken(let role, let path): "\(path) takes no \(role.rawValue)"
        case .malformedFilter(let text, _): "'\(text)' is not a filter"
        case .conditionNotTaken(let filter, let path, _):
            "\(path) cannot be filtered by \(filter.field)\(filter.condition)"
        case .wrongValue(let value, let filter, let kind): "\(filter.field) \(kind.words), not '\(value)'"
        case .malformedSort(let text): "'\(text)' is not a sort order"
        case .malformedParameter(let text): "'\(text)' is not a parameter"
        case .reservedParameter(let name, _): "'\(name)' cannot be a parameter"
        case .sortAcrossWindows(let field, let path, let time):
            "\(path) cannot be sorted by \(field) over more than \(HistoryLimit.days - 1) days: Clover returns "
                + "\(HistoryLimit.days) days at a time, so a longer time is read in parts, in the order of \(time)"
        case .reversedTimeRange(let field, _, _): "no time matches the filters by \(field)"
        case .notAList(let path, _): "\(path) is not a list"
        case .unknownEndpoint(let name, _), .unknownModel(let name, _): "the catalogue has no '\(name)'"
        case .fieldsUnknown(let name, _): "the fields of \(name) are not known"
        case .responseUndocumented(let path), .notRecords(let path, _), .noPeriods(let path):
            "the records of \(path) are not known"
        case .malformedTime(let text, _): "'\(text)' is not a time"
        case .daysNotOneRange(let text): "'\(text)' is not one range of time"
        case .period(.malformed(let text)): "'\(text)' is not a period"
        case .period(.reversed(let text)): "the period '\(text)' ends before it begins"
        case .period(.future(let text)): "the period '\(text)' has not begun"
        }
    }

    var nextStep: String {
        switch self {
        case .unknownEnvironment, .malformedAddress:
            "use us, eu, la, sandbox, or an address such as https://host"
        case .insecureAddress: "use https; http is for this machine only"
        case .malformedPath, .aliasIdentifiers: "write it as orders or orders/ID/line_items"
        case .noEcommerce: "use the environment us or sandbox"
        case .unfilledName: "write the id into the path"
        case .sortAcrossWindows(_, _, let time):
            "filter by a range of \(time) of at most \(HistoryLimit.days - 1) days, or sort the records after reading them"
        case .unknownName(_, .filter, _, let others) where others.isEmpty:
            "leave out the filter, and compare the records that come"
        case .reversedTimeRange: "swap the two times"
        default: "correct the request"
        }
    }
}

extension QueryError.PathFault {
    fileprivate var words: String {
        switch self {
        case .empty: "it is empty"
        case .wholeURL: "it is a whole address"
        case .query: "it has a query or fragment"
        case .dotSegment: "it has '.' or '..'"
        case .emptySegment: "it has '//'"
        case .controlCharacter: "it has a control character"
        case .identifierTwice: "an id is one segment of a path"
        }
    }
}

extension CloverAPI.FilterValue.Kind {
    fileprivate var words: String {
        switch self {
        case .amount: "takes a whole number of the currency's smallest unit"
        case .wholeNumber: "takes a whole number"
        case .number: "takes a number"
        case .truth: "takes true or false"
        case .oneOf(let cases, _): "takes one of \(cases.joined(separator: ", "))"
        }
    }
}

extension BodyError {
    var words: String {
        switch self {
        case .unknownField(let name, let model, let others):
            "\(model) has no field \(name)" + (others.isEmpty ? "" : ": \(others.joined(separator: ", "))")
        case .unfit("", let found, let expected): "the body \(expected.words), not \(found.words)"
        case .unfit(let name, let found, let expected): "the field \(name) \(expected.words), not \(found.words)"
        case .wrongValue(let value, let name, let expected): "the field \(name) \(expected.words), not '\(value)'"
        case .malformedField(let name, _), .repeatedField(let name), .conflict(let name, _):
            "the field \(name) cannot be sent"
        case .notJSON, .notText: "the body is not JSON"
        }
    }
}

extension BodyError.Expectation {
    fileprivate var words: String {
        switch self {
        case .string: "takes a text"
        case .boolean: "takes true or false"
        case .number: "takes a number"
        case .time: "takes a time in milliseconds since 1970"
        case .integer(let bits): "takes a whole number of at most \(bits) bits"
        case .minorUnits(let suggestion):
            "takes a whole number of the currency's smallest unit" + (suggestion.map { ", such as \($0)" } ?? "")
        case .object: "takes an object"
        case .list: "takes a list"
        case .single: "takes a single value"
        case .oneOf(let cases, let near): "takes one of \((near.isEmpty ? cases : near).joined(separator: ", "))"
        }
    }
}

extension BodyError.Found {
    fileprivate var words: String {
        switch self {
        case .kind(.null): "null"
        case .kind(.boolean): "true or false"
        case .kind(.integer), .kind(.number): "a number"
        case .kind(.string): "a text"
        case .kind(.object): "an object"
        case .kind(.array): "a list"
        case .text(let text): "'\(text)'"
        }
    }
}

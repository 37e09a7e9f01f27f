/// The response that the Square app sends to the callback URL.
package struct SquareResponse: Sendable {
    package let contradictsItself: Bool
    /// The id on Square's servers. Nil for a failure, for offline payments, and perhaps for cash and other tenders.
    package let transactionID: SquareText?
    /// The id that the device generated. Nil for a failure, and if the app sent none.
    package let clientTransactionID: SquareText?
    /// The state of the request, unchanged, on success and on failure; nil if it had none.
    package let state: SquareText?
    /// The reason why there was no payment; nil for a success.
    package let error: SquareAPIError?

    private enum Status {
        static let ok: SquareText = "ok"
        static let error: SquareText = "error"
    }

    /// Reads a callback URL as the SDK does. Scheme, host, mark and unknown keys are ignored; ids and a state that are not
    /// text count as absent.
    ///
    /// - Throws: a failure with one of the codes 8 to 11, in this order: no readable `data` item, no JSON object in it,
    ///   no valid `status`, an error without `error_code`.
    package init(url: String, profile: SquareProfile) throws(SquareFailure) {
        guard let item = QueryItems.value(of: SquareHandOff.dataItem, in: URLParts(url).query) else {
            throw SquareFailure(.missingOrInvalidResponseData, profile: profile)
        }
        guard let data = SquareJSONParser.value(of: Array(item.string.utf8), dialect: .apple), case .object = data
        else {
            throw SquareFailure(.missingOrInvalidResponseJSONData, profile: profile)
        }
        state = data["state"]?.text
        switch data["status"]?.text {
        case Status.ok:
            error = nil
            contradictsItself = false
            transactionID = data["transaction_id"]?.text
            clientTransactionID = data["client_transaction_id"]?.text
        case Status.error:
            guard let wire = data["error_code"]?.text, !wire.isEmpty else {
                throw SquareFailure(.missingOrInvalidResponseErrorCode, profile: profile)
            }
            error = SquareAPIError(wire: wire, profile: profile)
            contradictsItself = ["transaction_id", "client_transaction_id"].contains {
                data[$0]?.text?.isEmpty == false
            }
            transactionID = nil
            clientTransactionID = nil
        default: throw SquareFailure(.missingOrInvalidResponseStatus, profile: profile)
        }
    }
}

extension SquareResponse: Hashable {
    /// Compares like the SDK: success, state, error and the device's id, but not the id on Square's servers.
    package static func == (left: SquareResponse, right: SquareResponse) -> Bool {
        left.isSuccess == right.isSuccess && left.state == right.state && left.error == right.error
            && left.clientTransactionID == right.clientTransactionID
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(state)
        hasher.combine(error)
        hasher.combine(clientTransactionID)
    }
}

/// A response of the Square app on Android to a web page: query items with full names.
package struct SquareAndroidResponse: Sendable, Hashable {
    package let contradictsItself: Bool
    /// Absent offline and for cash.
    package let transactionID: SquareText?
    package let clientTransactionID: SquareText?
    /// The state of the request; also absent if the app has no result at all.
    package let state: SquareText?
    package let error: SquareAndroidError?

    /// Reads a callback URL. An error code means failure; without one, a transaction id means success.
    ///
    /// - Throws: `.missingOrInvalidResponseData` if there is neither.
    package init(url: String, profile: SquareProfile) throws(SquareFailure) {
        let query = URLParts(url).query
        func item(_ name: String) -> SquareText? {
            QueryItems.value(of: SquareText(SquareHandOff.androidPrefix + name), in: query)
        }
        state = item("REQUEST_METADATA")
        if let wire = item("ERROR_CODE") {
            error = SquareAndroidError(wire: wire, appDescription: item("ERROR_DESCRIPTION"))
            contradictsItself = ["SERVER_TRANSACTION_ID", "CLIENT_TRANSACTION_ID"].contains {
                item($0)?.isEmpty == false
            }
            transactionID = nil
            clientTransactionID = nil
            return
        }
        error = nil
        contradictsItself = false
        transactionID = item("SERVER_TRANSACTION_ID")
        clientTransactionID = item("CLIENT_TRANSACTION_ID")
        guard transactionID != nil || clientTransactionID != nil else {
            throw SquareFailure(
                .missingOrInvalidResponseData, profile: profile, platform: .androidWeb,
                message: "the URL has neither a transaction id nor an error code of the Square app on Android")
        }
    }
}

/// The outcome of a payment request to the Square app, on either platform.
package protocol SquareOutcome: Sendable {
    /// The id on Square's servers; nil if there is none, or none yet.
    var transactionID: SquareText? { get }
    /// The id that the device generated.
    var clientTransactionID: SquareText? { get }
    /// The state of the request, unchanged.
    var state: SquareText? { get }
    /// The reason why there was no payment; nil for a success.
    var reportedError: SquareReportedError? { get }
    /// Whether an error comes with the id of a transaction.
    var contradictsItself: Bool { get }
}

extension SquareOutcome {
    package var isSuccess: Bool { reportedError == nil }
}

extension SquareResponse: SquareOutcome {
    package var reportedError: SquareReportedError? { error?.reported }
}

extension SquareAndroidResponse: SquareOutcome {
    package var reportedError: SquareReportedError? { error?.reported }
}

/// An error that the Square app reported, on either platform.
package struct SquareReportedError: Sendable, Hashable {
    package let domain: String
    /// Nil on Android, whose errors have no numbers.
    package let number: Int?
    /// The SDK's name of the error.
    package let name: String
    /// The app's name of the error in the response.
    package let wire: SquareText
    package let message: String
    package let remedy: String

    /// `{"domain","number","name","wire","message","remedy"}`.
    package var json: SquareJSON {
        .record([
            ("domain", .text(domain)), ("number", number.map(SquareJSON.integer) ?? .null), ("name", .text(name)),
            ("wire", .string(wire)), ("message", .text(message)), ("remedy", .text(remedy)),
        ])
    }
}

extension SquarePlatform {
    /// Reads a callback URL of this platform. Web pages on iOS receive the same response as apps.
    package func outcome(
        of url: String, profile: SquareProfile
    ) -> Result<any SquareOutcome, SquareFailure> {
        Result { () throws(SquareFailure) -> any SquareOutcome in
            switch self {
            case .ios, .iosWeb: try SquareResponse(url: url, profile: profile)
            case .androidWeb: try SquareAndroidResponse(url: url, profile: profile)
            }
        }
    }
}

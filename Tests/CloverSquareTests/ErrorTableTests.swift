import CloverSquare
import Testing

@Suite("Error tables")
struct ErrorTableTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var number: Int
        var name: String
        /// In SDK 2.1, where it is another.
        var registerName: String?
        /// The text of the app; nil for none.
        var wire: String?
        var registerWire: String?
        /// Whether a text of the app is read as this number.
        var isRead = true
        var testDescription: String { "\(number) \(name)" }
    }

    static let own = [
        Row(number: 0, name: "Unknown"),
        Row(number: 1, name: "MissingCurrencyCode"),
        Row(
            number: 2, name: "UnsupportedCurrencyCode_Deprecated",
            registerName: "UnsupportedCurrencyCode"),
        Row(number: 3, name: "MissingRequestClientID"),
        Row(number: 4, name: "InvalidRequestCallbackURL"),
        Row(number: 5, name: "InvalidRequestAmount"),
        Row(
            number: 6, name: "CannotOpenApplication",
            registerName: "CannotPerformRequest"),
        Row(number: 7, name: "UnableToGenerateRequestJSON"),
        Row(number: 8, name: "MissingOrInvalidResponseData"),
        Row(number: 9, name: "MissingOrInvalidResponseJSONData"),
        Row(number: 10, name: "MissingOrInvalidResponseStatus"),
        Row(number: 11, name: "MissingOrInvalidResponseErrorCode"),
    ]

    static let reported = [
        Row(number: 0, name: "Unknown", isRead: false),
        Row(number: 1, name: "PaymentCanceled", wire: "payment_canceled"),
        Row(number: 2, name: "PayloadMissingOrInvalid", wire: "data_invalid"),
        Row(number: 3, name: "AppNotLoggedIn", wire: "not_logged_in"),
        Row(number: 4, name: "Unused", isRead: false),
        Row(
            number: 5, name: "LocationIDMismatch", registerName: "MerchantIDMismatch", wire: "location_id_mismatch",
            registerWire: "user_id_mismatch"),
        Row(number: 6, name: "UserNotActivated", wire: "user_not_active"),
        Row(number: 7, name: "CurrencyMissingOrInvalid", wire: "currency_code_missing"),
        Row(number: 8, name: "CurrencyUnsupported", wire: "unsupported_currency_code"),
        Row(number: 9, name: "CurrencyMismatch", wire: "currency_code_mismatch"),
        Row(number: 10, name: "AmountMissingOrInvalid", wire: "amount_invalid_format"),
        Row(number: 11, name: "AmountTooSmall", wire: "amount_too_small"),
        Row(number: 12, name: "AmountTooLarge", wire: "amount_too_large"),
        Row(number: 13, name: "InvalidTenderType", wire: "invalid_tender_type"),
        Row(number: 14, name: "UnsupportedTenderType", wire: "unsupported_tender_type"),
        Row(number: 15, name: "CouldNotPerform", wire: "could_not_perform"),
        Row(number: 16, name: "NoNetworkConnection", wire: "no_network_connection"),
        Row(number: 17, name: "ClientNotAuthorizedForUser", wire: "client_not_authorized_for_user", isRead: false),
        Row(number: 18, name: "UnsupportedAPIVersion", wire: "unsupported_api_version"),
        Row(number: 19, name: "InvalidVersionNumber", wire: "invalid_version_number"),
        Row(number: 20, name: "CustomerManagementNotSupported", wire: "customer_management_not_supported"),
        Row(number: 21, name: "InvalidCustomerID", wire: "invalid_customer_id"),
    ]

    @Test("the table has every row, under the names of its SDK", arguments: SquareProfile.allCases)
    func table(profile: SquareProfile) {
        let rows = SquareErrorTable.rows(profile: profile)
        let expected =
            Self.own.map { ("SCCErrorDomain", "SCCErrorCode", $0) }
            + Self.reported.map { ("SCCAPIErrorDomain", "SCCAPIErrorCode", $0) }
        #expect(rows.count == expected.count)
        for (row, (domain, prefix, wanted)) in zip(rows, expected) {
            let isRegister = profile == .register21
            let name = isRegister ? wanted.registerName ?? wanted.name : wanted.name
            let wire = isRegister ? wanted.registerWire ?? wanted.wire : wanted.wire
            #expect(row.domain == domain)
            #expect(row.number == wanted.number)
            #expect(row.name == prefix + name)
            #expect(row.wire == wire.map { SquareText($0) })
            let accepted = wanted.isRead ? [wanted.wire, wanted.registerWire].compactMap { $0 } : []
            #expect(row.accepted.map(\.string) == accepted)
        }
    }

    @Test("every row has its own words, one line each, without a stop", arguments: SquareProfile.allCases)
    func words(profile: SquareProfile) {
        let rows = SquareErrorTable.rows(profile: profile)
        for row in rows {
            for text in [row.meaning, row.remedy] {
                #expect(!text.isEmpty && !text.contains("\n") && !text.hasSuffix("."), "\(row.name)")
                #expect(text.first?.isUppercase == false, "\(row.name)")
            }
        }
        for domain in ["SCCErrorDomain", "SCCAPIErrorDomain"] {
            let meanings = rows.filter { $0.domain == domain }.map(\.meaning)
            #expect(Set(meanings).count == meanings.count)
        }
    }

    @Test("each platform has a remedy, and where they differ, it is that of the selected platform")
    func platforms() {
        for profile in SquareProfile.allCases {
            for code in SquareErrorCode.allCases {
                for platform in SquarePlatform.allCases {
                    let remedy = SquareFailure(code, profile: profile, platform: platform).remedy
                    #expect(!remedy.isEmpty && !remedy.hasSuffix("."), "\(code) on \(platform)")
                    if platform != .ios {
                        #expect(!remedy.contains("my-app://") && !remedy.contains("iOS app"), "\(code) on \(platform)")
                    }
                }
            }
            let amount = SquareFailure(.invalidRequestAmount, profile: profile, platform: .androidWeb)
            #expect(amount.remedy.hasSuffix("from 0 to 2147483647"))
        }
    }

    @Test("the app's texts are read as their numbers, by both SDKs", arguments: reported, SquareProfile.allCases)
    func texts(row: Row, profile: SquareProfile) throws {
        for wire in [row.wire, row.registerWire].compactMap({ $0 }) {
            let url = #"my-app://x?data={"status":"error","error_code":"\#(wire)","state":"s"}"#
            let response = try SquareResponse(url: url, profile: profile)
            let error = try #require(response.error)
            #expect(error.code.rawValue == (row.isRead ? row.number : 0))
            #expect(error.wire == SquareText(wire))
            let name = profile == .register21 ? row.registerName ?? row.name : row.name
            #expect(error.name == "SCCAPIErrorCode" + (row.isRead ? name : "Unknown"))
            #expect(response.state == "s")
        }
    }

    @Test(
        "texts are compared exactly",
        arguments: [
            "PAYMENT_CANCELED", " payment_canceled", "payment_canceled ", "payment_canceled\u{301}",
            "payment_cancelled",
            "0", "SCCAPIErrorCodePaymentCanceled", "login_code_invalid",
        ])
    func unknownTexts(wire: String) throws {
        for profile in SquareProfile.allCases {
            let error = SquareAPIError(wire: SquareText(wire), profile: profile)
            #expect(error.code == .unknown)
            #expect(error.name == "SCCAPIErrorCodeUnknown")
            #expect(error.wire == SquareText(wire))
        }
    }

    @Test("the location text of SDKs of another age is read, and the message says so")
    func otherAge() {
        let newInOld = SquareAPIError(wire: "location_id_mismatch", profile: .register21)
        #expect(newInOld.isTextOfOtherSDK)
        #expect(
            newInOld.message == "the location logged in to the Square app is not the one that 'merchant_id' names; "
                + "'location_id_mismatch' is the text of SDKs from 3.1 on, and register-2.1 reads it as Unknown")
        let oldInNew = SquareAPIError(wire: "user_id_mismatch", profile: .pointOfSale354)
        #expect(oldInNew.isTextOfOtherSDK)
        #expect(
            oldInNew.message == "the location logged in to the Square app is not the one that 'location_id' names; "
                + "'user_id_mismatch' is the text of SDKs up to 3.0, and pos-3.5.4 reads it as Unknown")
        #expect(!SquareAPIError(wire: "user_id_mismatch", profile: .register21).isTextOfOtherSDK)
        #expect(!SquareAPIError(wire: "location_id_mismatch", profile: .pointOfSale354).isTextOfOtherSDK)
    }

    @Test("the retired text is unknown, and explained", arguments: SquareProfile.allCases)
    func retired(profile: SquareProfile) {
        let error = SquareAPIError(wire: "client_not_authorized_for_user", profile: profile)
        #expect(error.code == .unknown)
        #expect(error.message.contains("the merchant has not authorized the application"))
        #expect(error.remedy.contains("4.53"))
    }

    @Test("a row as JSON")
    func json() throws {
        let row = try #require(
            SquareErrorTable.rows(profile: .pointOfSale354).first { $0.name.hasSuffix("IDMismatch") })
        #expect(
            row.json.written()
                == #"{"domain":"SCCAPIErrorDomain","number":5,"name":"SCCAPIErrorCodeLocationIDMismatch","#
                + #""wire":"location_id_mismatch","accepted":["location_id_mismatch","user_id_mismatch"],"#
                + #""meaning":"the location logged in to the Square app is not the one that 'location_id' names","#
                + #""remedy":"switch the Square app to that location, or omit the location from the request"}"#)
    }
}

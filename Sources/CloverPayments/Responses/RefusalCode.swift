import CloverHTTP

/// The words with which Clover refuses, and what each means to whoever stands at the till.
package enum RefusalCode {
    /// Whose doing it is.
    package enum Cause: Sendable, Equatable {
        /// The card or its bank: another card may work.
        case card
        /// What was typed or asked for.
        case request
        /// What was to be charged, captured or given back is in no state for it.
        case state
        /// The sign-in or the merchant's set-up.
        case account
        /// The service or device, now.
        case service
    }

    package struct Meaning: Sendable, Equatable {
        package let cause: Cause
        /// A clause: lower-case, no stop.
        package let words: String
    }

    /// What a code means; nil for one that is not known.
    package static func meaning(of code: String) -> Meaning? { table[code] }

    /// All codes that are known, sorted.
    package static var all: [String] { table.keys.sorted() }

    private static func card(_ words: String) -> Meaning { Meaning(cause: .card, words: words) }
    private static func request(_ words: String) -> Meaning { Meaning(cause: .request, words: words) }
    private static func state(_ words: String) -> Meaning { Meaning(cause: .state, words: words) }
    private static func account(_ words: String) -> Meaning { Meaning(cause: .account, words: words) }
    private static func service(_ words: String) -> Meaning { Meaning(cause: .service, words: words) }

    private static let table: [String: Meaning] = ecommerce.merging(device) { first, _ in first }
        .merging(reader) { first, _ in first }

    /// Clover: ecommerce API response codes, appendix.
    private static let ecommerce: [String: Meaning] = [
        "amount_too_large": request("the amount is more than Clover takes in one charge"),
        "amount_too_small": request("the amount is less than Clover takes"),
        "api_key_expired": account("the merchant's key for cards has ended"),
        "card_declined": card("the card's bank said no"),
        "card_on_file_missing": card("the customer has no card on file"),
        "charge_already_captured": state("the charge was captured already"),
        "charge_already_refunded": state("the charge was given back already"),
        "charge_disputed": state("the cardholder has disputed the charge with the bank"),
        "charge_exceeds_source_limit": card("the amount is more than this card may be charged"),
        "charge_expired_for_capture": state("the hold on the card has ended; charge it anew"),
        "country_unsupported": account("Clover does not take cards online in this country"),
        "email_invalid": request("the e-mail address is not one"),
        "expired_card": card("the card has expired"),
        "incorrect_address": card("the address is not the one the bank has"),
        "incorrect_cvc": card("the security code is wrong"),
        "incorrect_number": card("the card number is wrong"),
        "incorrect_zip": card("the postal code is not the one the bank has"),
        "invalid_card_type": card("the merchant does not take this kind of card"),
        "invalid_charge_amount": request("the amount cannot be charged"),
        "invalid_convenience_fee": request("the convenience fee cannot be charged"),
        "invalid_cvc": card("the security code is not one"),
        "invalid_expiry_month": card("the month of expiry is not one"),
        "invalid_expiry_year": card("the year of expiry is not one"),
        "invalid_number": card("the card number is not one"),
        "invalid_request": request("Clover does not understand the request, or does not know the charge"),
        "invalid_tax_amount": request("the tax cannot be right"),
        "invalid_tip_amount": request("the tip cannot be right"),
        "invalid_wallet_type": card("the merchant does not take this wallet"),
        "missing": request("something that Clover needs is missing"),
        "order_already_paid": state("the order is paid already"),
        "order_creation_failed": service("Clover could not make the order"),
        "order_required_settings": account("the merchant's settings for orders are not complete"),
        "order_status_invalid": state("the order is in no state for it"),
        "parameter_invalid_empty": request("a value is empty"),
        "parameter_invalid_integer": request("a value is no whole number"),
        "parameter_invalid_string_blank": request("a text is blank"),
        "parameter_invalid_string_empty": request("a text is empty"),
        "parameter_missing": request("a value is missing"),
        "parameter_unknown": request("Clover does not know a value that was sent"),
        "postal_code_invalid": card("the postal code is not one"),
        "processing_error": service("Clover could not carry it out"),
        "rate_limit": service("too many charges in a short time"),
        "resource_missing": state("Clover does not have it"),
        "token_already_used": request("the card token was used already; each is good for one charge"),
        // The type stands in for a code where there is none (Clover: types of errors).
        "api_connection_error": service("Clover could not reach the bank"),
        "api_error": service("something went wrong at Clover"),
        "authentication_error": account("the sign-in is not accepted"),
        "card_error": card("the card cannot be charged"),
        "idempotency_error": request("the idempotency key was used for another charge"),
        "invalid_request_error": request("Clover does not understand the request"),
        "rate_limit_error": service("too many charges in a short time"),
        "validation_error": request("a value cannot be right"),
    ]

    /// Clover: REST Pay Display, status codes and busy devices; payment error codes and responses.
    private static let device: [String: Meaning] = [
        "BAD_REQUEST": request("the device refuses what was asked, or is not this merchant's"),
        "RESOURCE_CONFLICT": service("the device is busy with something else"),
        "TERMINAL_BUSY": service("the device is busy with something else"),
        "TERMINAL_UNAVAILABLE": service("the device cannot be reached"),
        "TERMINAL_GENERAL": service("something went wrong on the device"),
        "FAIL": card("the payment was refused"),
        "CANCEL": request("the payment was cancelled"),
        "ERROR": service("something went wrong on the device"),
        "DUPLICATE": state("the same payment was made just now"),
        "UNSUPPORTED": account("the device or the merchant's set-up does not allow it"),
    ]

    /// Clover Go: error types of devices, and codes of transactions.
    private static let reader: [String: Meaning] = [
        "READER_ERROR": service("the reader does not work as it should"),
        "CARD_ERROR": card("the card could not be read"),
        "READER_TIMEOUT": request("no card was shown in time"),
        "COMMUNICATION_ERROR": service("the reader lost its connection"),
        "LOW_BATTERY": service("the reader's battery is too low; charge it"),
        "PARTIAL_AUTH_REJECTED": card("the card covers a part only, and that was not taken"),
        "partial_rejected": card("the card covers a part only, and that was not taken"),
        "DUPLICATE_TRANSACTION_REJECTED": state("the same payment was made just now, and this one was not"),
        "MULTIPLE_CONTACT_LESS_CARD_DETECTED_ERROR": card("several cards were held to the reader at once"),
        "CONTACT_LESS_FAILED_TRY_CONTACT_ERROR": card("the tap was not read; insert the card"),
        "VALIDATION_ERROR": request("the reader does not accept a value"),
        "EXCEPTION": service("something went wrong in the reader"),
        "CONNECTION_ERROR": service("the reader is not connected"),
        "reader_not_ready": service("the reader is not ready yet"),
        "transaction_failed": service("the reader could not carry it out"),
        "offline": service("there is no network, and Clover Go charges nothing without one"),
        "cancelled": request("the payment was cancelled"),
    ]
}

/// The service's own code and text in the body of a refusal.
struct ServiceRefusal: Equatable {
    /// The code, or the type where there is none.
    var code: String?
    var text: String?
    /// The code of the bank, where the service passes it on.
    var declineCode: String?
    /// The charge that it made nevertheless.
    var chargeID: String?

    /// Envelopes: `{"message":...,"error":{"type","code","message"}}`, `{"code","message","type"}`,
    /// `{"message","requestType","type"}` (Clover: ecommerce response codes; REST Pay Display).
    init(_ body: [UInt8]) {
        guard let tree = JSONTree(body) else { return }
        let inner = tree["error"] ?? tree
        let type = inner["type"]?.string
        // A device's type says more than a general code beside it.
        let isDeviceWord = type.map { $0 == $0.uppercased() } ?? false
        code = isDeviceWord ? type : inner["code"]?.string ?? type
        text = (inner["message"]?.string ?? tree["message"]?.string).map(Self.oneLine)
        declineCode = inner["decline_code"]?.string
        chargeID = inner["charge"]?.string
    }

    /// Short, without control characters, and without anything like a card number.
    static func oneLine(_ text: String) -> String {
        var result = ""
        var digits = ""
        func flush() {
            result += digits.count >= 12 ? "(redacted)" : digits
            digits = ""
        }
        for scalar in text.unicodeScalars.prefix(400) {
            if ("0"..."9").contains(scalar) {
                digits.unicodeScalars.append(scalar)
                continue
            }
            flush()
            result.unicodeScalars.append(scalar.properties.generalCategory == .control ? " " : scalar)
        }
        flush()
        return CardNumberText.redacted(result)
    }
}

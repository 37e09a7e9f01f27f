import CloverHTTP
import CloverJSON

/// The error codes of Clover, and what each means for a merchant.
package enum PaymentErrorCode {
    /// What causes the refusal.
    package enum Cause: Sendable, Equatable {
        /// The card or its bank: another card may work.
        case card
        /// The input or the request.
        case request
        /// The charge's state does not allow the operation.
        case state
        /// The sign-in or the merchant's setup.
        case account
        /// The service or device, temporarily.
        case service
    }

    package struct Meaning: Sendable, Equatable {
        package let cause: Cause
        /// A lower-case clause without a final stop.
        package let words: String
    }

    /// The meaning of a code; nil for an unknown one.
    package static func meaning(of code: String) -> Meaning? { table[code] }

    /// Whether a request that reached the service twice may be refused with this code although the first one was carried
    /// out: the key, the card's token or the charge is used then.
    package static func mayFollowItself(_ code: String) -> Bool {
        [
            "idempotency_error", "token_already_used", "charge_already_captured", "charge_already_refunded",
            "order_already_paid", "DUPLICATE", "RESOURCE_CONFLICT", "TERMINAL_BUSY",
        ].contains(code)
    }

    /// All known codes, sorted.
    package static var all: [String] { table.keys.sorted() }

    private static func card(_ words: String) -> Meaning { Meaning(cause: .card, words: words) }
    private static func request(_ words: String) -> Meaning { Meaning(cause: .request, words: words) }
    private static func state(_ words: String) -> Meaning { Meaning(cause: .state, words: words) }
    private static func account(_ words: String) -> Meaning { Meaning(cause: .account, words: words) }
    private static func service(_ words: String) -> Meaning { Meaning(cause: .service, words: words) }

    private static let table: [String: Meaning] = ecommerce.merging(device) { first, _ in first }
        .merging(reader) { first, _ in first }

    /// Source: Clover, ecommerce API response codes, appendix.
    private static let ecommerce: [String: Meaning] = [
        "amount_too_large": request("the amount is more than Clover accepts in one charge"),
        "amount_too_small": request("the amount is less than Clover accepts"),
        "api_key_expired": account("the merchant's card key has expired"),
        "card_declined": card("the card's bank declined it"),
        "card_on_file_missing": card("the customer has no card on file"),
        "charge_already_captured": state("the charge is already captured"),
        "charge_already_refunded": state("the charge is already refunded"),
        "charge_disputed": state("the cardholder has disputed the charge with the bank"),
        "charge_exceeds_source_limit": card("the amount exceeds the card's limit"),
        "charge_expired_for_capture": state("the hold on the card has expired; make a new charge"),
        "country_unsupported": account("Clover does not take cards online in this country"),
        "email_invalid": request("the email address is not valid"),
        "expired_card": card("the card has expired"),
        "incorrect_address": card("the address does not match the bank's records"),
        "incorrect_cvc": card("the security code is wrong"),
        "incorrect_number": card("the card number is wrong"),
        "incorrect_zip": card("the postal code does not match the bank's records"),
        "invalid_card_type": card("the merchant does not accept this type of card"),
        "invalid_charge_amount": request("the amount cannot be charged"),
        "invalid_convenience_fee": request("the convenience fee cannot be charged"),
        "invalid_cvc": card("the security code is not valid"),
        "invalid_expiry_month": card("the expiry month is not valid"),
        "invalid_expiry_year": card("the expiry year is not valid"),
        "invalid_number": card("the card number is not valid"),
        "invalid_request": request("Clover does not understand the request or does not know the charge"),
        "invalid_tax_amount": request("the tax is not valid"),
        "invalid_tip_amount": request("the tip is not valid"),
        "invalid_wallet_type": card("the merchant does not accept this wallet"),
        "missing": request("something that Clover needs is missing"),
        "order_already_paid": state("the order is already paid"),
        "order_creation_failed": service("Clover could not create the order"),
        "order_required_settings": account("the merchant's order settings are incomplete"),
        "order_status_invalid": state("the state of the order does not allow it"),
        "parameter_invalid_empty": request("a value is empty"),
        "parameter_invalid_integer": request("a value is not a whole number"),
        "parameter_invalid_string_blank": request("a text value is blank"),
        "parameter_invalid_string_empty": request("a text value is empty"),
        "parameter_missing": request("a value is missing"),
        "parameter_unknown": request("Clover does not know a value that was sent"),
        "postal_code_invalid": card("the postal code is not valid"),
        "processing_error": service("Clover could not carry it out"),
        "rate_limit": service("too many charges in a short time"),
        "resource_missing": state("Clover has no such record"),
        "token_already_used": request("the card token was already used; a token is valid for one charge"),
        // The error type is used where there is no code (Clover: types of errors).
        "api_connection_error": service("Clover could not reach the bank"),
        "api_error": service("something went wrong at Clover"),
        "authentication_error": account("Clover does not accept the sign-in"),
        "card_error": card("the card cannot be charged"),
        "idempotency_error": request("the idempotency key was used for another charge"),
        "invalid_request_error": request("Clover does not understand the request"),
        "rate_limit_error": service("too many charges in a short time"),
        "validation_error": request("a value is not valid"),
    ]

    /// Sources: Clover, REST Pay Display, status codes and busy devices; payment error codes and responses.
    private static let device: [String: Meaning] = [
        "BAD_REQUEST": request("the device refused the request, or belongs to another merchant"),
        "RESOURCE_CONFLICT": service("the device is busy with something else"),
        "TERMINAL_BUSY": service("the device is busy with something else"),
        "TERMINAL_UNAVAILABLE": service("the device cannot be reached"),
        "TERMINAL_GENERAL": service("something went wrong on the device"),
        "FAIL": card("the payment was refused"),
        "CANCEL": request("the payment was cancelled"),
        "ERROR": service("something went wrong on the device"),
        "DUPLICATE": state("the same payment was just made"),
        "UNSUPPORTED": account("the device or the merchant's setup does not allow it"),
    ]

    /// Sources: Clover Go, error types of devices; codes of transactions.
    private static let reader: [String: Meaning] = [
        "READER_ERROR": service("the reader is not working properly"),
        "CARD_ERROR": card("the card could not be read"),
        "READER_TIMEOUT": request("no card was presented in time"),
        "COMMUNICATION_ERROR": service("the reader lost its connection"),
        "LOW_BATTERY": service("the reader's battery is too low; charge it"),
        "PARTIAL_AUTH_REJECTED": card("the card covers only part of the amount, and that part was not accepted"),
        "partial_rejected": card("the card covers only part of the amount, and that part was not accepted"),
        "DUPLICATE_TRANSACTION_REJECTED": state("the same payment was just made, and this one was not"),
        "MULTIPLE_CONTACT_LESS_CARD_DETECTED_ERROR": card("several cards were presented to the reader at once"),
        "CONTACT_LESS_FAILED_TRY_CONTACT_ERROR": card("the tap was not read; insert the card"),
        "VALIDATION_ERROR": request("the reader does not accept a value"),
        "EXCEPTION": service("something went wrong in the reader"),
        "CONNECTION_ERROR": service("the reader is not connected"),
        "reader_not_ready": service("the reader is not ready yet"),
        "transaction_failed": service("the reader could not carry it out"),
        "offline": service("there is no network, and Clover Go cannot charge without one"),
        "cancelled": request("the payment was cancelled"),
    ]
}

/// The service's code and text in the body of a refusal.
struct ServiceErrorBody: Equatable {
    /// The code, or the error type where there is no code.
    var code: String?
    var text: String?
    /// The bank's code, where the service passes it on.
    var declineCode: String?
    /// The charge that was created despite the refusal.
    var chargeID: String?
    /// Whether the form is that of the Ecommerce API, and not one that gateways use, too.
    var isOfPaymentService = false

    /// Known forms: `{"message":...,"error":{"type","code","message"}}`, `{"code","message","type"}`,
    /// `{"message","requestType","type"}` (Clover: ecommerce response codes; REST Pay Display).
    init(_ body: [UInt8]) {
        guard let tree = JSONTree(body) else { return }
        let inner = tree["error"] ?? tree
        let type = inner["type"]?.string
        // A device's error type is more specific than the general code beside it.
        let isDeviceWord = type.map { $0 == $0.uppercased() } ?? false
        code = isDeviceWord ? type : inner["code"]?.string ?? type
        text = (inner["message"]?.string ?? tree["message"]?.string).map(Self.oneLine)
        declineCode = inner["decline_code"]?.string
        chargeID = inner["charge"]?.string
        isOfPaymentService =
            type?.hasSuffix("_error") ?? false || code.flatMap(PaymentErrorCode.meaning) != nil
    }

    /// A text shortened to 400 characters, without control characters, and without anything like a card number, a security
    /// code, or a token: a service may repeat what it was sent.
    static func oneLine(_ text: String) -> String {
        let text = TextRedaction.redacted(text)
            .replacing(/(?i)\b(cv[vcn]2?|security code)(\W{0,3})\d{3,4}\b/) { "\($0.1)\($0.2)\(TextRedaction.mark)" }
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
        return CardNumberRedaction.redacted(result)
    }
}

import CloverHTTP
import Testing

@Suite("Names of secrets")
struct SensitiveNameTests {
    @Test(
        "are known in whatever spelling",
        arguments: [
            "accessToken", "access_token", "Access-Token", "ACCESS_TOKEN", "accesstoken", "token", "refreshToken",
            "csrf_token", "password", "userPassword", "passwd", "PIN", "Pin", "pin", "newPin", "employee_pin",
            "pinCode",
            "routingNumber", "routing_number", "bankAccountNumber", "account_number", "cvv", "CVV2", "card_cvc",
            "apiKey",
            "api_key", "X-Api-Key", "secretKey", "client_secret", "secret", "cardNumber", "pan", "ssn", "SSN", "iban",
            "taxId", "tax_id", "otp", "code_verifier", "X-Clover-Auth", "dateOfBirth", "track2", "backup_codes",
        ])
    func sensitive(_ name: String) { #expect(SensitiveName.isSensitive(name)) }

    @Test(
        "are distinguished from everyday ones",
        arguments: [
            "pinned", "pinDisabled", "pinLength", "spin", "shipping", "accountId", "accountName", "account", "last4",
            "first6", "tokenType", "tokenRequestRef", "id", "name", "code", "itemCode", "authCode", "authorizationCode",
            "key", "labelKey", "number", "phoneNumber", "receiptNumber", "serialNumber", "passwordUpdatedTime", "japan",
            "tip", "cardType", "nextPageToken", "maskedPan", "pairingCode", "postalCode", "companySecretary", "",
        ])
    func harmless(_ name: String) { #expect(!SensitiveName.isSensitive(name)) }
}

import CloverHTTP

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

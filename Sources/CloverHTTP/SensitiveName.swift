/// Tells by a name alone whether what goes by it is a secret: a PIN, a password, a token, a key, a bank or card number.
/// One rule for fields of records and bodies, for parameters of addresses and for header fields.
///
/// Names are compared without regard to case, `_` and `-`: `accessToken`, `access_token` and `Access-Token` are one.
package enum SensitiveName {
    /// Whether what goes by the name is a secret.
    package static func isSensitive(_ name: some StringProtocol) -> Bool {
        let folded = folded(name)
        if wholeNames.contains(folded) { return true }
        if harmless.contains(folded) || folded.hasPrefix("masked") { return false }
        return endings.contains { folded.hasSuffix($0) } || lastWords.contains(lastWord(of: name))
    }

    /// The name without what its spellings differ in.
    package static func folded(_ name: some StringProtocol) -> String {
        String(decoding: name.utf8.lazy.filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") }, as: UTF8.self)
            .lowercased()
    }

    /// What the folded name of a secret ends with, if it is none of `wholeNames`; some that end so are harmless.
    package static var allEndings: [String] { endings + lastWords.sorted() }

    /// Whatever ends so is a secret: `appSecret`, `X-Api-Key`, `bankRoutingNumber`.
    private static let endings = [
        "token", "accesstokens", "refreshtokens", "password", "passwords", "passwd", "passphrase", "passcode",
        "passwordhash", "secret", "secrets", "apikey", "apikeys", "accesskey", "secretkey", "privatekey", "signingkey",
        "encryptionkey", "sessionkey", "sessionid", "accountnumber", "accountno", "acctnumber", "acctno",
        "routingnumber", "routingno", "abanumber", "cardnumber", "cardno", "securitycode", "verificationcode",
        "activationcode", "claimcode", "backupcode", "backupcodes", "codeverifier", "taxid", "taxpayerid",
        "socialsecuritynumber", "dateofbirth", "birthdate",
    ]

    /// Short ones count only as a word of their own: `newPin` and `card_pan`, but neither `spin` nor `japan`.
    private static let lastWords: Set<String> = [
        "pin", "pan", "cvv", "cvv2", "cvc", "cvc2", "cvn", "csc", "ssn", "tin", "itin", "iban", "dob", "otp", "totp",
        "jwt",
    ]

    /// Folded names that count only as a whole.
    package static let wholeNames: Set<String> = [
        "pins", "pincode", "pinnumber", "pinhash", "pinblock", "track1", "track2", "track3", "track1data", "track2data",
        "track3data", "trackdata", "primaryaccountnumber", "sortcode", "tokens", "bearer", "cookie", "setcookie",
        "proxyauthorization", "xcloverauth",
    ]

    /// Tokens that open nothing: places in a list.
    private static let harmless: Set<String> = [
        "pagetoken", "nextpagetoken", "previouspagetoken", "nexttoken", "continuationtoken", "synctoken",
    ]

    /// The last word of `employeePin`, `employee_pin` or `employee-PIN`, in lower case.
    private static func lastWord(of name: some StringProtocol) -> String {
        var word: [UInt8] = []
        var isAfterSmall = false
        for byte in name.utf8 {
            let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
            let isBreak = byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
            if isBreak || isCapital && isAfterSmall { word = [] }
            if !isBreak { word.append(isCapital ? byte | 0x20 : byte) }
            isAfterSmall = !isCapital && !isBreak
        }
        return String(decoding: word, as: UTF8.self)
    }
}

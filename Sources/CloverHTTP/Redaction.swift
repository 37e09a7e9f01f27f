/// Removes secrets from text that will be shown.
package enum Redaction {
    /// Words in the name of a query parameter whose value is hidden. Clover sends none of them; users may.
    private static let secretWords = ["token", "secret", "password", "passwd", "key", "code", "signature"]

    private static func isSecret(_ name: Substring, _ pair: Substring) -> Bool {
        let lowered = name.lowercased()
        if SensitiveName.isSensitive(name) || secretWords.contains(where: { lowered.contains($0) }) { return true }
        // An employee's PIN is one of the fields that filters support.
        guard lowered == "filter" else { return false }
        let field = pair.dropFirst(name.count + 1).prefix { $0.isLetter || $0.isNumber || "_-.".contains($0) }
        return field.split(separator: ".").last.map { SensitiveName.isSensitive($0) } ?? false
    }

    /// Header fields whose values are secret.
    private static let secretHeaders: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "set-cookie", "x-clover-auth",
    ]

    /// Whether the value of a header field of this name is secret.
    package static func isSecretHeader(_ name: String) -> Bool {
        let lowered = name.lowercased()
        // `X-RateLimit-tokenLimit` is not a token.
        return secretHeaders.contains(lowered) || SensitiveName.isSensitive(name) || lowered.contains("secret")
            || lowered.contains("api-key") || lowered.contains("apikey") || lowered.contains("password")
            || lowered.split(separator: "-").contains("auth")
    }

    /// Whether an environment variable is secret: by its name, such as `API_TOKEN`; or because its value has a password, such
    /// as the URL of a database or a proxy, which needs no scheme.
    package static func isSecretVariable(_ name: String, _ value: String) -> Bool {
        if SensitiveName.isSensitive(name) || value.lowercased().contains("password=") { return true }
        let mayBeURL = value.contains("://")
        if value.contains("@"), mayBeURL || name.lowercased().hasSuffix("_proxy") { return true }
        return mayBeURL && url(value) != value
    }

    /// The value of a header field without secrets, including those in URLs, for display.
    package static func header(_ header: HTTPHeader) -> String {
        guard isSecretHeader(header.name) else {
            return header.value.contains("://") ? url(header.value) : header.value
        }
        let scheme = header.value.prefix { $0 != " " }
        let hasScheme = header.name.lowercased().hasSuffix("authorization") && scheme != header.value
        return hasScheme ? "\(scheme) (redacted)" : "(redacted)"
    }

    /// The values that `url(_:)` removes from the query, decoded; for a filter, the part after its operator.
    package static func secretValues(ofURL text: String) -> [String] {
        guard let mark = text.firstIndex(of: "?") else { return [] }
        return text[text.index(after: mark)...].split(separator: "&").compactMap { pair in
            let name = pair.prefix { $0 != "=" }
            guard isSecret(name, pair) else { return nil }
            let value = decoded(pair.dropFirst(name.count + 1))
            guard name.lowercased() == "filter" else { return value }
            return String(value.drop { !"=<>! ".contains($0) }.drop { "=<>! ".contains($0) })
        }
    }

    private static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A URL without user information and without the values of secret parameters.
    package static func url(_ text: String) -> String {
        var text = text
        if let scheme = text.firstRange(of: "://") {
            let rest = text[scheme.upperBound...]
            let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
            if let at = authority.lastIndex(of: "@") {
                text = text[..<scheme.upperBound] + "(redacted)" + text[at...]
            }
        }
        guard let mark = text.firstIndex(of: "?") else { return text }
        let query = text[text.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
        let shown = query.map { pair -> String in
            let name = pair.prefix { $0 != "=" }
            return isSecret(name, pair) ? "\(name)=(redacted)" : String(pair)
        }
        return text[...mark] + shown.joined(separator: "&")
    }
}

/// Decides by name alone whether a value is secret: a PIN, a password, a token, a key, a bank or card number. The same
/// rule applies to fields of records and bodies, to URL parameters and to header fields.
///
/// Names are compared ignoring case, `_` and `-`: `accessToken`, `access_token` and `Access-Token` are equal.
package enum SensitiveName {
    /// Whether a value of this name is secret.
    package static func isSensitive(_ name: some StringProtocol) -> Bool {
        let folded = folded(name)
        if wholeNames.contains(folded) { return true }
        if harmless.contains(folded) || folded.hasPrefix("masked") { return false }
        return endings.contains { folded.hasSuffix($0) } || lastWords.contains(lastWord(of: name))
    }

    /// The name without the differences between spellings.
    package static func folded(_ name: some StringProtocol) -> String {
        String(decoding: name.utf8.lazy.filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") }, as: UTF8.self)
            .lowercased()
    }

    /// Endings of folded names that are secret, apart from `wholeNames`; some names with these endings are harmless.
    package static var allEndings: [String] { endings + lastWords.sorted() }

    /// Endings that mark a secret: `appSecret`, `X-Api-Key`, `bankRoutingNumber`.
    private static let endings = [
        "token", "accesstokens", "refreshtokens", "password", "passwords", "passwd", "passphrase", "passcode",
        "passwordhash", "secret", "secrets", "apikey", "apikeys", "accesskey", "secretkey", "privatekey", "signingkey",
        "encryptionkey", "sessionkey", "sessionid", "accountnumber", "accountno", "acctnumber", "acctno",
        "routingnumber", "routingno", "abanumber", "cardnumber", "cardno", "securitycode", "verificationcode",
        "activationcode", "claimcode", "backupcode", "backupcodes", "codeverifier", "taxid", "taxpayerid",
        "socialsecuritynumber", "dateofbirth", "birthdate",
    ]

    /// Short endings that count only as a separate word: `newPin` and `card_pan`, but neither `spin` nor `japan`.
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

    /// Tokens that grant no access: positions in a list.
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

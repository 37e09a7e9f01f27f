/// The name of a credential's file: `ENVIRONMENT_MERCHANT_APP.json`, the environment percent-encoded (RFC 3986, 2.1)
/// down to letters, digits, `-` and inner dots, so that no name holds a slash, starts with a dot, or has an underscore
/// but the two that part it.
enum CredentialFileName {
    /// The app's part when there is no app.
    static let noApp = "static"
    private static let ending = ".json"
    private static let journalEnding = ".refresh.json"

    /// The name for `key`.
    static func name(for key: CredentialKey) -> String {
        encode(key.environment) + "_" + key.merchantID + "_" + (key.appID ?? noApp) + ending
    }

    /// The name of the file that a refresh of `key` is written down in.
    static func journalName(for key: CredentialKey) -> String {
        String(name(for: key).dropLast(ending.count)) + journalEnding
    }

    /// The name of the lock file that everybody takes who writes either.
    static func lockName(for key: CredentialKey) -> String {
        name(for: key) + ".lock"
    }

    /// The key that a file of this name, or of the journal's, is for.
    static func key(fromEither name: String) -> CredentialKey? {
        // No app has a dot in its id, so that the two endings cannot be taken for each other.
        name.hasSuffix(journalEnding) ? key(from: String(name.dropLast(journalEnding.count)) + ending) : key(from: name)
    }

    /// The key that a file of this name is for; nil for names that no key has, such as those of lock files.
    static func key(from name: String) -> CredentialKey? {
        guard name.hasSuffix(ending) else { return nil }
        let parts = name.dropLast(ending.count).split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count == 3, let environment = decode(parts[0]) else { return nil }
        let app = parts[2] == noApp ? nil : String(parts[2])
        do {
            let key = try CredentialKey(environment: environment, merchantID: String(parts[1]), appID: app)
            // Another spelling of the same key is not the file that would be read for it.
            return self.name(for: key) == name ? key : nil
        } catch {
            return nil
        }
    }

    /// Percent-encodes everything that is not a letter, a digit, `-` or a dot after the first character.
    static func encode(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                encoded.append(byte)
            case UInt8(ascii: ".") where !encoded.isEmpty:
                encoded.append(byte)
            default:
                encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    private static func decode(_ text: Substring) -> String? {
        var decoded: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                decoded.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap({ Character(UnicodeScalar($0)).hexDigitValue }),
                let low = rest.popFirst().flatMap({ Character(UnicodeScalar($0)).hexDigitValue })
            else { return nil }
            decoded.append(UInt8(high << 4 | low))
        }
        return String(validating: decoded, as: UTF8.self)
    }
}

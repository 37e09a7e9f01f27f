import CloverAPI
import CloverAuth
import CloverCalendar
import CloverOutput
import Glibc

/// The type of a setting's value.
package enum ValueKind: Sendable, Equatable {
    case wholeNumber(ClosedRange<Int>)
    /// A duration: `30`, `90s`, `5m`.
    case duration
    case truth
    /// One of these words.
    case word([String])
    /// The name or URL of a Clover environment.
    case service
    /// The ID of a merchant or an app.
    case identifier
    case profileName
    case zone
    /// A numeric IPv4 or IPv6 address.
    case address
    /// The URL of a PostgreSQL database, without a password.
    case database
    /// A file path that does not depend on the working directory.
    case file
    /// A program's path, or its name in a directory of `PATH`, with its arguments.
    case program
    /// A line of text.
    case text

    /// The accepted values, as the end of `KEY takes ...`.
    package var expectation: String {
        switch self {
        case .wholeNumber(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .duration: "a duration such as 30, 90s, 5m or 1h"
        case .truth: "true or false"
        case .word(let words): words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
        case .service: "sandbox, us, eu, la or an address such as https://host"
        case .identifier: "an ID of letters and digits"
        case .profileName: "a name of 1 to 64 letters, digits, '-', '_' or '.', starting with a letter or digit"
        case .zone: "merchant, UTC or a time zone such as Europe/Berlin"
        case .address: "an address such as 203.0.113.7 or 2001:db8::7"
        case .database:
            "files, or an address such as postgresql://USER@HOST/DATABASE, with the password in ~/.pgpass"
        case .file: "a file path starting with / or ~/"
        case .program: "a program's path or name, and its arguments"
        case .text: "text on one line"
        }
    }

    /// The value of a database that stands for none, such as in a variable that overrides the configuration file.
    package static let files = "files"
    /// Maximum length of any value, in bytes.
    package static let longest = 1024

    /// Accepted words that are similar to an invalid one.
    package func near(_ text: String) -> [String] {
        guard text.utf8.count <= Self.longest else { return [] }
        return switch self {
        case .word(let words): NearestNames.of(text, among: words)
        case .service: NearestNames.of(text, among: ["sandbox", "us", "eu", "la"])
        case .truth: NearestNames.of(text, among: ["true", "false"])
        case .zone: Self.nearZones(text)
        default: []
        }
    }

    /// Zones of the database, matched by full name or by place alone.
    private static func nearZones(_ text: String) -> [String] {
        let names = TimeZoneRules.names()
        // With so large a list, some name is similar to any input.
        let near = NearestNames.of(text, among: names + ["merchant", "UTC"], count: 1)
        guard near.isEmpty, !text.contains("/") else { return near }
        func place(_ name: String) -> String { name.split(separator: "/").last.map(String.init) ?? name }
        let places = NearestNames.of(text.replacing(" ", with: "_"), among: Set(names.map(place)).sorted(), count: 1)
        return places.compactMap { found in names.first { place($0) == found } }
    }

    /// Whether this text is a valid value.
    package func accepts(_ text: String) -> Bool {
        // All values have a maximum length and no control characters.
        guard !text.isEmpty, text.utf8.count <= Self.longest, !text.unicodeScalars.contains(where: Self.isControl)
        else {
            return false
        }
        switch self {
        case .wholeNumber(let range): return Self.wholeNumber(text).map(range.contains) ?? false
        case .duration: return DurationText.seconds(text) != nil
        case .truth: return Self.truth(text) != nil
        case .word(let words): return words.contains(text)
        case .service: return Self.isService(text)
        case .identifier: return Self.isIdentifier(text)
        case .profileName: return ProfileStore.isName(text)
        case .zone: return Self.isZone(text)
        case .address: return Self.isAddress(text)
        case .database:
            return text == Self.files
                || ["postgresql://", "postgres://"].contains(where: text.hasPrefix) && !SecretShape.hasPassword(text)
        case .file: return text.hasPrefix("/") || text.hasPrefix("~/")
        case .program, .text: return true
        }
    }

    /// Digits only, so that signs and digits of other scripts are rejected.
    static func wholeNumber(_ text: String) -> Int? {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(text) : nil
    }

    /// YAML 1.1's words for true and false, and those commonly used in variables.
    static func truth(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "true", "yes", "on", "1": true
        case "false", "no", "off", "0": false
        default: nil
        }
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .lineSeparator
            || scalar.properties.generalCategory == .paragraphSeparator
    }

    private static func isService(_ text: String) -> Bool {
        do throws(QueryError) {
            _ = try ServiceEnvironment(parsing: text)
            return true
        } catch {
            return false
        }
    }

    private static func isIdentifier(_ text: String) -> Bool {
        do throws(CredentialError) {
            _ = try CredentialKey(environment: ServiceEnvironment.us.name, merchantID: text)
            return true
        } catch {
            return false
        }
    }

    /// Checked with inet_pton(3).
    private static func isAddress(_ text: String) -> Bool {
        var bytes = in6_addr()
        return inet_pton(AF_INET, text, &bytes) == 1 || inet_pton(AF_INET6, text, &bytes) == 1
    }

    private static func isZone(_ text: String) -> Bool {
        guard case .named(let name) = FormatChoice.Zone(parsing: text) else { return true }
        do throws(TimeZoneError) {
            _ = try TimeZoneRules(named: name)
            return true
        } catch .unreadable {
            // The database is not available here; the value itself may be valid.
            return true
        } catch {
            return false
        }
    }
}

/// Values in YAML form.
enum ConfigurationScalar {
    /// Plain if every YAML reader takes it for the same text, otherwise in single quotes, in which only the quote
    /// itself is special (YAML 1.2 section 7.3.2). Values contain no line breaks.
    static func written(_ value: String) -> String {
        isPlain(value) ? value : "'" + value.replacing("'", with: "''") + "'"
    }

    private static func isPlain(_ value: String) -> Bool {
        guard let first = value.utf8.first, let last = value.utf8.last else { return false }
        // YAML's word for null (YAML 1.2, section 10.3.2).
        if value.lowercased() == "null" { return false }
        let isHarmless = value.utf8.allSatisfy { isWord($0) || "./:@+-".utf8.contains($0) || $0 == UInt8(ascii: "~") }
        return isHarmless && (isWord(first) || first == UInt8(ascii: "/") || value.hasPrefix("~/"))
            && last != UInt8(ascii: ":")
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

/// A value and its source.
package struct ConfigurationValue: Sendable, Equatable {
    package enum Source: Sendable, Equatable {
        case flag
        /// The variable's name.
        case variable(String)
        /// A line of the file, starting at 1; in a profile's section, or at the top level for nil.
        case file(path: String, line: Int, profile: String?)
        /// The sign-in that commands use.
        case signIn
        /// The default.
        case standard
    }

    /// As written; already checked.
    package let text: String
    package let source: Source

    package init(text: String, source: Source) {
        self.text = text
        self.source = source
    }
}

extension ConfigurationValue {
    /// The setting in the form in which it was made, for messages: `CLOVER_FORMAT=csv`, `format: csv (config.yml line
    /// 3)`.
    package func setting(_ key: ConfigurationKey) -> String {
        switch source {
        case .flag: "--\(key.name) \(text)"
        case .variable(let name): "\(name)=\(text)"
        case .file(_, let line, _): "\(key.name): \(text) (\(ConfigurationFile.name) line \(line))"
        case .signIn, .standard: "\(key.name) \(text)"
        }
    }
}

/// A duration as users write it: `30`, `500ms`, `30s`, `1.5m`, `2h`.
package enum DurationText {
    private static let units: [(name: String, seconds: Double)] = [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600)]

    /// Seconds, greater than zero and less than a million; nil if the text is not such a duration.
    package static func seconds(_ text: String) -> Double? {
        let unit = units.first { text.hasSuffix($0.name) }
        let number = text.dropLast(unit?.name.count ?? 0)
        guard number.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }), let amount = Double(number),
            amount > 0, amount < 1_000_000
        else { return nil }
        return amount * (unit?.seconds ?? 1)
    }
}

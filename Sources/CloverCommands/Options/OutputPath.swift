import ArgumentParser
import CloverCore

/// An output path as typed.
///
/// URLs are refused: taken as a path, `s3://bucket/exports` would create the directories `s3:`, `bucket` and `exports`
/// on this machine. A directory with such a name can be given as `./s3:...`.
enum OutputPath {
    /// - Parameters:
    ///   - text: the value of the option; nil if it was not given.
    ///   - option: the option with its dashes, such as `--to`.
    static func check(_ text: String?, of option: String) throws(ValidationError) {
        guard let text else { return }
        let start = text.prefix { $0 != ":" }
        if start.endIndex < text.endIndex, let right = databases[start.lowercased()], !text.hasPrefix(start + "://") {
            // Without the text, which may have a password.
            throw ValidationError(
                "\(option) takes a database as \(right); for a file or directory of that name, begin with ./")
        }
        guard let scheme = scheme(of: text) else { return }
        let rest = text.dropFirst(scheme.count + "://".count)
        let hint =
            scheme.lowercased() == "file" && rest.hasPrefix("/")
            ? "write it as a path: \(option) \(rest)"
            : "write to this machine and copy the files from there"
        throw ValidationError("\(option) takes a path and cannot write to \(scheme)://: \(hint)")
    }

    /// How a database or bucket is written, by the words that people begin it with.
    private static let databases = [
        "sqlite": "sqlite:FILE", "sqlite3": "sqlite:FILE", "postgres": "postgresql://HOST/DATABASE",
        "postgresql": "postgresql://HOST/DATABASE",
    ]

    /// The scheme before `://` in a URL (RFC 3986, section 3.1); nil for a path.
    private static func scheme(of text: String) -> Substring? {
        let scheme = text.prefix { $0 != ":" }
        guard text[scheme.endIndex...].hasPrefix("://"), let first = scheme.first, first.isASCII, first.isLetter,
            scheme.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) })
        else { return nil }
        return scheme
    }
}

/// A duration given to an option; errors name the option.
enum NamedDuration {
    static func seconds(_ text: String, _ option: String) throws -> Double {
        do throws(CoreError) {
            return try DurationExpression.seconds(text)
        } catch {
            throw ValidationError("\(option) takes a duration such as 500ms, 10s or 1m, not '\(text)'")
        }
    }
}

/// A duration that may be in days: `89d`, or what `DurationExpression` accepts.
enum LongDuration {
    private static let secondsPerDay = 86_400.0

    private static let units = ["ms", "s", "m", "h", "d", ""]

    /// Whether the text is zero in any unit: `0`, `0s`.
    static func isZero(_ text: String) -> Bool { units.contains { text == "0\($0)" } }

    /// The duration in seconds, greater than zero.
    static func seconds(_ text: String) throws(CoreError) -> Double {
        guard text.hasSuffix("d") else { return try DurationExpression.seconds(text) }
        let number = text.dropLast()
        guard number.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }), let days = Double(number), days > 0,
            days < 100_000
        else { throw .malformedDuration(text) }
        return days * secondsPerDay
    }
}

import ArgumentParser
import CloverCore

/// A length of time that an option takes, refused with the option's name.
enum NamedDuration {
    static func seconds(_ text: String, _ option: String) throws -> Double {
        do throws(CoreError) {
            return try DurationExpression.seconds(text)
        } catch {
            throw ValidationError("\(option) takes a duration such as 500ms, 10s or 1m, not '\(text)'")
        }
    }
}

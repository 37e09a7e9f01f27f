import ArgumentParser
import CloverCore

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

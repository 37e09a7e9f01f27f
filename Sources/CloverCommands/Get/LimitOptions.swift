import ArgumentParser
import CloverCore

/// How long and how often it is tried.
struct LimitOptions: ParsableArguments {
    @Option(
        name: .customLong("max-time"), parsing: .unconditional,
        help: ArgumentHelp("Give up after so long: 30, 90s, 5m (CLOVER_MAX_TIME).", valueName: "duration"))
    var maximumTime: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Send a failed request again so often at most (default: 5).", valueName: "count"))
    var retry: Int?

    func validate() throws {
        if let retry, !(0...100).contains(retry) {
            throw ValidationError("--retry takes a whole number from 0 to 100, not \(retry)")
        }
    }

    func apply(to request: inout GetRequest, variables: [String: String]) throws {
        request.maximumTime = try seconds(variables)
        request.maximumRetries = retry ?? Self.usualRetries
    }

    func apply(to request: inout WriteRequest, variables: [String: String]) throws {
        request.maximumTime = try seconds(variables)
        request.maximumRetries = retry ?? Self.usualRetries
    }

    private static let usualRetries = 5

    private func seconds(_ variables: [String: String]) throws -> Double? {
        guard let text = maximumTime ?? variables["CLOVER_MAX_TIME"], !text.isEmpty else { return nil }
        return try DurationExpression.seconds(text)
    }
}

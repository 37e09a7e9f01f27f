import CloverTestSupport
import Testing

/// Expects a failure: this status, no data unless `output` says so, and a message with all these parts, led by the
/// program's name.
func expectFailure(
    _ result: CommandResult, status: Int32, saying parts: String..., output: String? = "",
    sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(result.ending == .exited(status), "\(result)", sourceLocation: sourceLocation)
    #expect(result.errorText.hasPrefix("clover: "), "\(result)", sourceLocation: sourceLocation)
    for part in parts {
        #expect(result.errorText.contains(part), "no '\(part)' in: \(result)", sourceLocation: sourceLocation)
    }
    if let output { #expect(result.outputText == output, "\(result)", sourceLocation: sourceLocation) }
    expectNoSecret(result, sourceLocation: sourceLocation)
}

/// Expects status 0 and an empty stderr.
func expectSuccess(_ result: CommandResult, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(result.ending == .exited(0), "\(result)", sourceLocation: sourceLocation)
    #expect(result.errorText == "", "\(result)", sourceLocation: sourceLocation)
}

/// Expects status 0, and on stderr nothing but announcements of pauses: how many requests of a storm fail in a row, and so how
/// long the pauses get, is chance.
func expectSuccessAfterPauses(_ result: CommandResult, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(result.ending == .exited(0), "\(result)", sourceLocation: sourceLocation)
    let others = result.errorText.split(separator: "\n").filter { !$0.hasSuffix("; a signal ends the wait") }
    #expect(others == [], "\(result)", sourceLocation: sourceLocation)
}

/// Expects that the static token shows up nowhere.
func expectNoSecret(_ result: CommandResult, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(
        !result.errorText.contains(Sandbox.token) && !result.outputText.contains(Sandbox.token), "the token is printed",
        sourceLocation: sourceLocation)
}

/// Expects that a sign-in was kept.
func expectSignedIn(_ result: CommandResult, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(result.ending == .exited(0), "\(result)", sourceLocation: sourceLocation)
    #expect(result.output == [], sourceLocation: sourceLocation)
    expectNoSecret(result, sourceLocation: sourceLocation)
}

import CloverCallback
package import CloverSquare

/// The Square app, as this machine's desktop reaches it.
package enum SquareApp {
    /// Seconds for the desktop to say whether it opens a request. A program that runs on is taken for the app.
    private static let patience = 5.0

    /// Hands a request to whatever the desktop opens its scheme with.
    ///
    /// The Register SDK returns the system's answer to opening, so under its rules the desktop's answer is waited for.
    /// The newest SDK ignores it.
    ///
    /// - Throws: `SquareError.cannotOpen` with the SDK's code for it.
    package static func open(
        _ handOff: SquareHandOff, rules: SquareRules, in environment: CommandEnvironment
    ) async throws {
        let failure = SquareFailure(.cannotOpenApplication, profile: rules.profile, platform: rules.platform)
        let opener: BrowserLauncher.Opener
        do throws(BrowserError) {
            opener = try environment.openBrowser(handOff.url)
        } catch {
            throw SquareError.cannotOpen(error, failure)
        }
        guard rules.profile.returnsAnswerOfOpening else {
            environment.diagnostics.notice("the request was handed to the desktop; whether an app took it is not known")
            return
        }
        let status = try await withThrowingTaskGroup(of: Int32?.self) { group in
            group.addTask { await opener.status() }
            group.addTask { [sleep = environment.sleep] in
                try await sleep(patience)
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
        if let status, status != 0 {
            throw SquareError.cannotOpen(.refused(program: opener.program, status: status), failure)
        }
    }
}

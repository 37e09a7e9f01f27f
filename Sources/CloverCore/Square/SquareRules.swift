import CloverCallback
package import CloverSquare

/// The SDK profile and the platform whose rules apply.
package struct SquareRules: Sendable, Equatable {
    package let profile: SquareProfile
    package let platform: SquarePlatform

    /// Whether a URL looks like a response of the app on Android to a web page, although another platform is expected.
    func isAndroidResponse(_ url: String) -> Bool {
        platform != .androidWeb && url.contains("com.squareup.pos.")
    }

    /// The value that `--check-marker` adds: whether the URL has the mark of a request's callback; null if the rules have
    /// no mark.
    func mark(of url: String) -> SquareJSON {
        hasMark ? .boolean(CallbackMarker.isPresent(in: url)) : .null
    }

    /// The notice for `--check-marker` under rules without a mark; nil if the rules have one.
    var markNotice: String? {
        if hasMark { return nil }
        let why =
            platform == .androidWeb
            ? "the app on Android sets no mark"
            : "\(profile.rawValue) recognizes a response by the app that opens the URL, and has no mark"
        return "isSquareResponse is null: \(why)"
    }

    private var hasMark: Bool { profile.marksCallbacks && platform != .androidWeb }

    package init(profile: SquareProfile, platform: SquarePlatform) {
        self.profile = profile
        self.platform = platform
    }
}

/// Opens the Square app through this machine's desktop.
package enum SquareApp {
    /// Maximum time in seconds for the opener's exit status. An opener that is still running is taken for the app.
    private static let openTimeout = 5.0

    /// Opens a request with the program that the desktop has for its URL scheme.
    ///
    /// The Register SDK returns the system's result of opening the URL, so under its rules this waits for the opener's exit
    /// status. The newest SDK ignores the result.
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
        guard rules.profile.returnsOpenResult else {
            environment.diagnostics.notice("the request was passed to the desktop; whether an app opened it is unknown")
            return
        }
        let status = try await withThrowingTaskGroup(of: Int32?.self) { group in
            group.addTask { await opener.status() }
            group.addTask { [sleep = environment.sleep] in
                try await sleep(openTimeout)
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

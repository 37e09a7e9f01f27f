import ArgumentParser
import CloverCallback
import CloverCore
import CloverSquare

/// Which SDK's rules apply, and on which platform.
struct SquareRules: ParsableArguments {
    @Option(
        name: .customLong("sdk"),
        help: ArgumentHelp(
            "SDK whose rules apply: Register SDK 2.1 or Point of Sale SDK 3.5.4.",
            valueName: "sdk"))
    var profile = SquareProfile.newest

    @Option(
        name: .long,
        help: ArgumentHelp(
            "What opens the URL: an app on iOS, a web page on iOS, or a web page on Android.",
            valueName: "platform"))
    var platform = SquarePlatform.ios

    /// Whether a request may name another API version than its SDK's own.
    var acceptsOtherAPIVersions: Bool { profile.acceptsOtherAPIVersions && platform != .androidWeb }

    /// Reads a callback URL.
    func outcome(of url: String) -> Result<any SquareOutcome, SquareFailure> {
        platform.outcome(of: url, profile: profile)
    }

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
}

extension SquareProfile: ExpressibleByArgument {}

extension SquarePlatform: ExpressibleByArgument {}

/// Opens the Square app through this machine's desktop.
enum SquareApp {
    /// Maximum time in seconds for the opener's exit status. An opener that is still running is taken for the app.
    private static let openTimeout = 5.0

    /// Opens a request with the program that the desktop has for its URL scheme.
    ///
    /// The Register SDK returns the system's result of opening the URL, so under its rules this waits for the opener's exit
    /// status. The newest SDK ignores the result.
    ///
    /// - Throws: `SquareError.cannotOpen` with the SDK's code for it.
    static func open(
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

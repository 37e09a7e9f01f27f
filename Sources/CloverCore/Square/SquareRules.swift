package import CloverSquare

/// Whose rules count, and for which device.
package struct SquareRules: Sendable, Equatable {
    package let profile: SquareProfile
    package let platform: SquarePlatform

    /// Whether a URL has what the app on Android answers a web page, while something else is expected.
    func isAndroidAnswer(_ url: String) -> Bool {
        platform != .androidWeb && url.contains("com.squareup.pos.")
    }

    /// What `--check-marker` adds: whether the URL has the mark of a request's callback, or null where there is none.
    func mark(of url: String) -> SquareJSON {
        hasMark ? .boolean(CallbackMarker.isPresent(in: url)) : .null
    }

    /// For `--check-marker`; nil where the mark exists.
    var markNotice: String? {
        if hasMark { return nil }
        let why =
            platform == .androidWeb
            ? "the app on Android sets no mark"
            : "\(profile.rawValue) knows an answer by the app that opens the URL, and has no mark"
        return "isSquareResponse is null: \(why)"
    }

    private var hasMark: Bool { profile.marksCallbacks && platform != .androidWeb }

    package init(profile: SquareProfile, platform: SquarePlatform) {
        self.profile = profile
        self.platform = platform
    }
}

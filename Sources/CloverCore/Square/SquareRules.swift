package import CloverSquare

/// Whose rules count, and for which device.
package struct SquareRules: Sendable, Equatable {
    package let profile: SquareProfile
    package let platform: SquarePlatform

    /// Whether a URL has what the app on Android answers a web page, while something else is expected.
    func isAndroidAnswer(_ url: String) -> Bool {
        platform != .androidWeb && url.contains("com.squareup.pos.")
    }

    package init(profile: SquareProfile, platform: SquarePlatform) {
        self.profile = profile
        self.platform = platform
    }
}

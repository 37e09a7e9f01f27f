package import CloverSquare

/// Whose rules count, and for which device.
package struct SquareRules: Sendable, Equatable {
    package let profile: SquareProfile
    package let platform: SquarePlatform

    package init(profile: SquareProfile, platform: SquarePlatform) {
        self.profile = profile
        self.platform = platform
    }
}

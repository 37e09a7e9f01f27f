import ArgumentParser
import CloverCore
import CloverSquare

/// Which SDK's rules apply, and on which platform.
struct SquareRuleOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "SDK whose rules apply: Register SDK 2.1 or Point of Sale SDK 3.5.4.",
            valueName: "sdk"))
    var sdk = SquareProfile.newest

    @Option(
        name: .long,
        help: ArgumentHelp(
            "What opens the URL: an app on iOS, a web page on iOS, or a web page on Android.",
            valueName: "platform"))
    var platform = SquarePlatform.ios

    var rules: SquareRules { SquareRules(profile: sdk, platform: platform) }
}

extension SquareProfile: ExpressibleByArgument {}

extension SquarePlatform: ExpressibleByArgument {}

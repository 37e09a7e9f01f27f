import ArgumentParser
import CloverCore
import CloverSquare

/// Whose rules count, and for which device.
struct SquareRuleOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Whose rules count: those of the Register SDK 2.1 or of the Point of Sale SDK 3.5.4.",
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

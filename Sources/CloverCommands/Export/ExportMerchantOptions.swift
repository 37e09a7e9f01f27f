import ArgumentParser
import CloverCore

/// Several merchants in one run.
struct ExportMerchantOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            Export for these sign-ins, separated by commas, or all that have a name; files are named \
            {merchant}/{resource}/... One that cannot be used fails alone (82), the others are exported.
            """,
            valueName: "names"), completion: .asked)
    var profiles: String?

    @Flag(
        name: .customLong("tag-merchant"),
        help: "Let each record say whose it is: \"merchant\":{\"id\":\"M\"}; a jq program gets it, and has to keep it.")
    var tagsMerchant = false

    var isGiven: Bool { profiles != nil }

    func validate() throws {
        guard let profiles else { return }
        let names = profiles.split(separator: ",", omittingEmptySubsequences: false)
        if names.contains("") { throw ValidationError("--profiles takes names separated by commas, or all") }
        if Set(names).count < names.count { throw ValidationError("--profiles names a sign-in twice") }
    }

    func apply(to request: inout ExportRequest) {
        request.tagsMerchant = tagsMerchant
        guard let profiles else { return }
        request.profiles = profiles == "all" ? nil : profiles.split(separator: ",").map(String.init)
    }
}

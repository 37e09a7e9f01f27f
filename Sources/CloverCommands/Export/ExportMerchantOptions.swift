import ArgumentParser
import CloverCore

/// Exporting several merchants in one run.
struct ExportMerchantOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            Sign-ins to export, separated by commas, or all that have a name; files are named \
            {merchant}/{resource}/... If one cannot be used, only that one fails (82).
            """,
            valueName: "names"), completion: .asked)
    var profiles: String?

    @Flag(
        name: .customLong("tag-merchant"),
        help: "Add the merchant to each record: \"merchant\":{\"id\":\"M\"}; a jq program gets it, and must keep it.")
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

import CloverExport
import Testing

@Suite("export: which merchants share a destination")
struct DestinationMerchantsTests {
    private static func exports(
        _ merchant: String, profile: String? = nil, isTagged: Bool, hasFiles: Bool = true, place: Int64
    ) -> DestinationMerchants.Exports {
        DestinationMerchants.Exports(
            merchant: merchant, profile: profile, isTagged: isTagged, hasFiles: hasFiles, place: place)
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// In the order in which they began.
        let exports: [DestinationMerchants.Exports]
        var isTagged = false
        var profile: String?
        var names = "{resource}/{window}.{extension}"
        var rival: String?
    }

    /// Runs of the merchant M.
    private static let rows: [Row] = [
        Row(testDescription: "an empty destination", exports: []),
        Row(testDescription: "its own", exports: [exports("M", isTagged: false, place: 1)]),
        Row(
            testDescription: "untagged beside untagged", exports: [exports("A", isTagged: false, place: 1)],
            rival: "A"),
        Row(testDescription: "untagged beside tagged", exports: [exports("A", isTagged: true, place: 1)], rival: "A"),
        Row(
            testDescription: "tagged beside untagged", exports: [exports("A", isTagged: false, place: 1)],
            isTagged: true, rival: "A"),
        Row(testDescription: "tagged beside tagged", exports: [exports("A", isTagged: true, place: 1)], isTagged: true),
        Row(
            testDescription: "tagged beside one that was not always tagged",
            exports: [exports("A", isTagged: true, place: 1), exports("A", isTagged: false, place: 1)],
            isTagged: true, rival: "A"),
        Row(
            testDescription: "untagged as before, where another joined later",
            exports: [exports("M", isTagged: false, place: 1), exports("A", isTagged: true, place: 2)]),
        Row(
            testDescription: "untagged as before, where another was first",
            exports: [exports("A", isTagged: true, place: 1), exports("M", isTagged: false, place: 2)], rival: "A"),
        Row(
            testDescription: "untagged for the first time",
            exports: [exports("M", isTagged: true, place: 1), exports("A", isTagged: true, place: 2)], rival: "A"),
        Row(
            testDescription: "tagged as before, where another is not",
            exports: [exports("A", isTagged: false, place: 1), exports("M", isTagged: true, place: 2)], isTagged: true),
        Row(
            testDescription: "without records so far, where another joined later",
            exports: [
                exports("M", isTagged: false, hasFiles: false, place: 1), exports("A", isTagged: true, place: 2),
            ]),
        Row(
            testDescription: "tagged and without records so far, where another was first",
            exports: [
                exports("A", isTagged: false, place: 1), exports("M", isTagged: true, hasFiles: false, place: 2),
            ], isTagged: true, rival: "A"),
        Row(
            testDescription: "beside one without records",
            exports: [exports("A", isTagged: false, hasFiles: false, place: 1)]),
        Row(
            testDescription: "names by merchant", exports: [exports("A", isTagged: false, place: 1)],
            names: "{merchant}/{window}"),
        Row(
            testDescription: "names by profile", exports: [exports("A", profile: "a", isTagged: false, place: 1)],
            profile: "m", names: "{profile}/{window}"),
        Row(
            testDescription: "names by a profile that was another's",
            exports: [exports("A", profile: "m", isTagged: false, place: 1)], profile: "m",
            names: "{profile}/{window}", rival: "A"),
        Row(
            testDescription: "names by another's profile, where it came later",
            exports: [
                exports("M", profile: "m", isTagged: false, place: 1),
                exports("A", profile: "a", isTagged: false, place: 2),
            ], profile: "a", names: "{profile}/{window}", rival: "A"),
    ]

    @Test("a new one needs names or tags that separate all of them; one that is there stays", arguments: rows)
    func rival(row: Row) throws {
        let merchants = DestinationMerchants(row.exports)
        let names = try NameTemplate(parsing: row.names)
        #expect(merchants.rival(of: "M", profile: row.profile, names, isTagged: row.isTagged) == row.rival)
    }
}

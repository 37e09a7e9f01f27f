import CloverExport
import Testing

@Suite("names of exported files")
struct NameTemplateTests {
    private func values(day: String? = nil, from: Int64? = 1_795_132_800_000) -> NameTemplate.Values {
        NameTemplate.Values(
            resource: "orders/ID/line_items", merchant: "M1", profile: nil,
            window: PlannedWindow(field: from == nil ? nil : "modifiedTime", from: from, to: 1_795_219_200_250),
            day: day, date: "2026-11-21", format: "ndjson", suffix: ".gz")
    }

    @Test(
        "placeholders are filled in",
        arguments: [
            (
                "{resource}/{window}.{extension}",
                "orders.ID.line_items/20261120T000000.000Z--20261121T000000.250Z.ndjson.gz"
            ),
            ("{merchant}/{profile}-{date}.ndjson", "M1/M1-2026-11-21.ndjson.gz"),
            ("a.gz", "a.gz"),
            ("{from}_{to}", "20261120T000000.000Z_20261121T000000.250Z.gz"),
        ])
    func fills(_ template: String, _ expected: String) throws {
        #expect(try NameTemplate(parsing: template).path(values()) == expected)
    }

    @Test(
        "a number comes before the extension",
        arguments: [
            ("{resource}/{date}.{extension}", "orders.ID.line_items/2026-11-21-2.ndjson.gz"),
            ("{date}.x.ndjson.gz", "2026-11-21-2.x.ndjson.gz"),
            ("{date}/{resource}", "2026-11-21/orders.ID.line_items-2.gz"),
            ("{date}/v1.0/all", "2026-11-21/v1.0/all-2.gz"), ("{date}{extension}", "2026-11-21-2ndjson.gz"),
        ])
    func numbers(_ template: String, _ expected: String) throws {
        let template = try NameTemplate(parsing: template)
        #expect(try template.path(values(), number: 2) == expected)
        #expect(try template.path(values(), number: 1) == (try template.path(values())))
    }

    @Test("a day is named by its date, and a full export by its time")
    func windows() throws {
        let template = try NameTemplate(parsing: "{window}.{extension}")
        #expect(try template.path(values(day: "2026-11-20")) == "2026-11-20.ndjson.gz")
        #expect(try template.path(values(from: nil)) == "20261121T000000.250Z.ndjson.gz")
    }

    @Test(
        "a path outside the destination, or reserved in it, is refused",
        arguments: [
            ("", .path), ("/a", .path), ("a/../b", .path), ("a//b", .path), ("a/", .path), ("a\nb", .path),
            ("{resource", .unclosedBrace), ("{nothing}", .unknownPlaceholder("nothing")),
            ("manifest.ndjson", .reserved), ("manifest.ndjson/{window}", .reserved), (".clover-export/x", .reserved),
        ] as [(String, ExportError.NameFault)])
    func refused(_ template: String, _ fault: ExportError.NameFault) {
        #expect(throws: ExportError.name(fault, template: template)) { try NameTemplate(parsing: template) }
    }

    @Test("an id with slashes becomes one path component")
    func safe() throws {
        var values = values()
        values.resource = "../x y"
        #expect(try NameTemplate(parsing: "{resource}").path(values) == "_..x_y.gz")
    }
}

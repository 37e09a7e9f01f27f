import CloverTestSupport
import Testing

@Suite("export: columns")
struct ExportColumnsTests {
    private static let shop = ["--orders", "60", "--now", "clock", "--no-limits"]

    /// The header of each of a folder's files, by the file's resource.
    private func headers(_ folder: ExportFolder) throws -> [String: Set<String>] {
        var headers: [String: Set<String>] = [:]
        for file in folder.files where file.hasSuffix(".csv") {
            let resource = file.split(separator: "/")[0]
            headers[String(resource), default: []].insert(try folder.lines(of: file)[0].filter { $0 != "\r" })
        }
        return headers
    }

    @Test("each resource, and each list of its records, has its own fields")
    func fieldsOfResources() async throws {
        try await Sandbox.run(unpaced: Self.shop) { sandbox, emulator in
            let folder = sandbox.exports("out")
            let arguments = [
                "export", "orders", "payments", "--to", folder.path, "--format", "csv", "--with", "line_items",
                "--fields", "orders=id,total", "--fields", "payments=id,amount", "--fields", "payments=order.id",
                "--fields", "orders.line_items=parentId,price",
            ]
            expectSuccess(try await sandbox.clover(arguments))
            try await emulator.churn(20)
            expectSuccess(try await sandbox.clover(arguments))
            #expect(
                try headers(folder) == [
                    "orders": ["id,total"], "payments": ["id,amount,order.id"],
                    "orders.line_items": ["parentId,price"],
                ])
            try folder.expectWhole()
            // The fields of another resource do not matter, one's own do.
            let others = ["export", "orders", "--to", folder.path, "--format", "csv", "--with", "line_items"]
            expectSuccess(
                try await sandbox.clover(
                    others + ["--fields", "id,total", "--fields", "orders.line_items=parentId,price"]))
            expectFailure(
                try await sandbox.clover(others + ["--fields", "orders=id"]), status: 73, saying: "in another form")
        }
    }

    struct Mistake: Sendable, CustomTestStringConvertible {
        let fields: [String]
        let says: [String]
        var testDescription: String { fields.joined(separator: " ") }
    }

    @Test(
        "fields that a resource does not have are refused with the nearest names",
        arguments: [
            Mistake(fields: ["order=id"], says: ["does not export order", "did you mean: orders"]),
            Mistake(fields: ["orders.line_items=id"], says: ["does not export orders.line_items"]),
            Mistake(fields: ["orders=id,totl"], says: ["orders has no field 'totl'", "did you mean: total"]),
            Mistake(fields: ["orders=id", "total"], says: ["payments has no field 'total'"]),
            Mistake(fields: ["id,total"], says: ["payments has no field 'total'"]),
            Mistake(fields: ["orders=id", "orders=id"], says: ["'id' is listed twice"]),
            Mistake(fields: ["orders="], says: ["malformed field ''"]),
        ])
    func mistakes(_ mistake: Mistake) async throws {
        try await Sandbox.run(server: { _, _ in .page([]) }) { sandbox, server in
            let result = try await sandbox.clover(
                ["export", "orders", "payments", "--to", "out"] + mistake.fields.flatMap { ["--fields", $0] })
            expectFailure(result, status: 64)
            for part in mistake.says { #expect(result.errorText.contains(part), "\(result)") }
            #expect(server.requests.isEmpty)
        }
    }

    @Test("an expansion adds its columns, and one that cannot is named by each run")
    func expansions() async throws {
        try await Sandbox.run(unpaced: Self.shop) { sandbox, _ in
            let folder = sandbox.exports("out")
            let arguments = [
                "export", "orders", "--to", folder.path, "--format", "csv", "--expand", "lineItems,orderType",
            ]
            for _ in 0..<2 {
                let result = try await sandbox.clover(arguments)
                #expect(result.ending == .exited(0), "\(result)")
                #expect(
                    result.errorText == """
                        clover: orders: lineItems cannot be a column of csv; for files of its own, add --with line_items; \
                        --format ndjson keeps it

                        """)
            }
            let header = try #require(try headers(folder)["orders"]?.first)
            #expect(header.contains(",orderType.id,orderType.labelKey,orderType.label,"), "\(header)")
            expectSuccess(try await sandbox.clover(arguments + ["--with", "line_items"]))
        }
    }

    /// What the columns of orders were in version 0.1.0.
    private static let originalColumns = """
        id,currency,total,title,note,taxRemoved,isVat,state,manualTransaction,groupLineItems,testMode,payType,createdTime,\
        clientCreatedTime,modifiedTime,deletedTimestamp,customerId,customerUuid,orderTypeId,externalReferenceId,\
        unpaidBalance,paymentState,onlineOrder
        """

    @Test("a destination of a version with other default columns keeps them", arguments: [[], ["--append"]])
    func formerColumns(_ options: [String]) async throws {
        try await Sandbox.run(unpaced: Self.shop) { sandbox, emulator in
            let folder = sandbox.exports("out")
            let arguments = ["export", "orders", "tenders", "--to", folder.path, "--format", "csv"] + options
            expectSuccess(try await sandbox.clover(arguments))
            let before = try folder.contents()
            let script =
                "import sqlite3, sys; s = sqlite3.connect(sys.argv[1]); s.execute('DELETE FROM default_columns'); s.commit()"
            let python = CommandRunner(executable: "/usr/bin/python3", environment: [:])
            let changed = try await python.run(["-c", script, sandbox.directory["state/exports.sqlite"]])
            #expect(changed.status == 0, "\(changed)")
            for _ in 0..<2 {
                try await emulator.churn(10)
                expectSuccess(try await sandbox.clover(arguments))
            }
            let later = try folder.contents()
            let orders = try folder.files.filter { $0.hasPrefix("orders") && later[$0] != before[$0] }.map { file in
                try folder.lines(of: file).map { $0.filter { $0 != "\r" } }
            }
            if options.isEmpty {
                #expect(!orders.isEmpty && orders.allSatisfy { $0[0] == Self.originalColumns })
            } else {
                let last = try #require(orders.first?.last)
                // No value of these orders has a comma, except in a note, which is quoted.
                #expect(orders.count == 1 && last.filter { $0 == "," }.count >= 22, "\(last)")
                #expect(orders[0].last.map { $0.split(separator: ",")[1] } == "USD")
            }
            // Another form begins with today's columns.
            let fresh = sandbox.exports("fresh")
            expectSuccess(try await sandbox.clover(["export", "orders", "--to", fresh.path, "--format", "csv"]))
            #expect(try headers(fresh)["orders"]?.first?.contains("employee.id") == true)
        }
    }

    @Test("--names adds names to records and to the lists of each record, and is part of the form")
    func names() async throws {
        try await Sandbox.run(unpaced: Self.shop) { sandbox, _ in
            let folder = sandbox.exports("out")
            let arguments = ["export", "orders", "--to", folder.path, "--with", "line_items"]
            expectSuccess(try await sandbox.clover(arguments + ["--names"]))
            for record in try folder.records(of: "orders") {
                #expect(record["employee"] == nil || record["employee"]?["name"]?.string != nil, "\(record)")
                #expect(record["orderType"] == nil || record["orderType"]?["label"]?.string != nil, "\(record)")
            }
            let lines = try folder.records(of: "orders.line_items")
            #expect(lines.contains { $0["item"]?["name"]?.string != nil })
            expectFailure(try await sandbox.clover(arguments), status: 73, saying: "--names")
        }
    }

    @Test("names that cannot be read fail the export; nothing is published without them")
    func unreadableNames() async throws {
        try await Sandbox.run(unpaced: Self.shop + ["--without-permission", "employees"]) { sandbox, _ in
            let folder = sandbox.exports("out")
            expectFailure(
                try await sandbox.clover("export", "orders", "--to", folder.path, "--names"), status: 77,
                saying: "EMPLOYEES_R")
            #expect(folder.files.isEmpty)
            expectSuccess(try await sandbox.clover("export", "orders", "--to", folder.path))
        }
    }
}

import CloverTestSupport
import Testing

/// `--with`: lists that belong to each record, as resources of their own.
@Suite("export --with")
struct ExportPartTests {
    @Test("shifts, refunds and payments are those of the shop, each under the record that has it")
    func inside() async throws {
        try await Sandbox.run(unpaced: ["--orders", "1500", "--no-limits"]) { sandbox, emulator in
            let folder = sandbox.exports("out")
            for (resource, parts) in [("employees", "shifts"), ("orders", "payments,refunds")] {
                expectSuccess(try await sandbox.clover("export", resource, "--to", folder.path, "--with", parts))
            }
            expectSuccess(
                try await sandbox.clover("export", "payments", "--to", sandbox.directory["other"], "--with", "refunds"))
            for (name, list, parent, folder) in [
                ("employees.shifts", "shifts", "employee", folder), ("orders.payments", "payments", "order", folder),
                ("orders.refunds", "refunds", "orderRef", folder),
                ("payments.refunds", "refunds", "payment", sandbox.exports("other")),
            ] {
                let truth = try await emulator.truth(list)
                let entries = try folder.records(of: name)
                #expect(!entries.isEmpty && entries.count == truth.count, "\(name)")
                #expect(Set(entries.compactMap { $0["id"]?.string }) == Set(truth.keys), "\(name)")
                for entry in entries {
                    let owner = truth[entry["id"]?.string ?? ""]?[parent]?["id"]?.string
                    #expect(entry["parentId"]?.string == owner, "\(name) \(entry)")
                }
            }
        }
    }

    @Test("a list that cannot be expanded is requested record by record, completely")
    func beside() async throws {
        try await Sandbox.run(unpaced: ["--orders", "1500", "--no-limits"]) { sandbox, _ in
            let folder = sandbox.exports("out")
            let arguments = ["export", "employees", "--to", folder.path, "--with", "payments,shifts,cash_events"]
            expectSuccess(try await sandbox.clover(arguments))
            try folder.expectWhole()
            // Cash events have no ids.
            for (part, field) in [("payments", "id"), ("cash_events", "timestamp")] {
                let entries = try folder.records(of: "employees.\(part)")
                #expect(!entries.isEmpty, "\(part)")
                for employee in try folder.records(of: "employees").compactMap({ $0["id"]?.string }) {
                    let expected = try await sandbox.clover(
                        "get", "employees/\(employee)/\(part)", "--all", "--jq", ".\(field)")
                    expectSuccess(expected)
                    #expect(
                        entries.filter { $0["parentId"]?.string == employee }.compactMap { $0[field] }
                            == (try JSONValue.lines(expected.lines)), "\(part) of \(employee)")
                }
            }
            // Running it again exports nothing.
            let before = folder.files
            expectSuccess(try await sandbox.clover(arguments))
            #expect(folder.files == before)
        }
    }

    @Test("a list that the service silently omits from records is requested")
    func ignoredExpansion() async throws {
        let staff = ["A", "B", "C", "D", "E", "F", "G"]
        try await Sandbox.run(server: { request, _ in
            let segments = request.path.split(separator: "/")
            guard segments.last == "shifts" else {
                return request.values(of: "offset").contains("0") || request.values(of: "offset").isEmpty
                    ? .page(staff.map { #"{"id":"\#($0)","name":"n"}"# }) : .page([])
            }
            let employee = String(segments[segments.count - 2])
            let offset = Int(request.values(of: "offset").first ?? "0") ?? 0
            // C has more than a page, and D none.
            let count = employee == "D" ? 0 : employee == "C" ? 2300 : 2
            return .page(
                (offset..<max(offset, min(count, offset + 1000))).map { #"{"id":"\#(employee)\#($0)","inTime":1}"# })
        }) { sandbox, _ in
            let folder = sandbox.exports("out")
            expectSuccess(try await sandbox.clover("export", "employees", "--to", folder.path, "--with", "shifts"))
            let expected = staff.flatMap { id in
                (0..<(id == "D" ? 0 : id == "C" ? 2300 : 2)).map { "\(id) \(id)\($0)" }
            }
            #expect(
                try folder.records(of: "employees.shifts").map {
                    "\($0["parentId"]?.string ?? "") \($0["id"]?.string ?? "")"
                } == expected)
        }
    }

    @Test("a record deleted meanwhile has no entries; a refused list fails the export")
    func gone() async throws {
        for isGone in [true, false] {
            try await Sandbox.run(server: { request, _ in
                let segments = request.path.split(separator: "/")
                switch segments.last {
                case "cash_events":
                    return segments.contains("B")
                        ? LoopbackResponse(status: "404 Not Found", #"{"message":"Not Found"}"#)
                        : request.values(of: "offset").first ?? "0" == "0"
                            ? .page([#"{"id":"1","type":"LOAD"}"#]) : .page([])
                case "B" where isGone: return LoopbackResponse(status: "404 Not Found", #"{"message":"Not Found"}"#)
                case "B": return LoopbackResponse(#"{"id":"B"}"#)
                case "devices":
                    return request.values(of: "offset").first ?? "0" == "0"
                        ? .page([#"{"id":"A"}"#, #"{"id":"B"}"#]) : .page([])
                default: return .page([])
                }
            }) { sandbox, _ in
                let folder = sandbox.exports("out")
                let result = try await sandbox.clover(
                    "export", "devices", "--to", folder.path, "--with", "cash_events")
                if isGone {
                    expectSuccess(result)
                    #expect(try folder.records(of: "devices.cash_events").count == 1)
                } else {
                    expectFailure(result, status: 66, saying: "devices/B/cash_events")
                    #expect(folder.files == [])
                }
            }
        }
    }

    @Test("a different part starts a new plan for the resource")
    func changed() async throws {
        try await Sandbox.run(unpaced: ["--orders", "50", "--now", "clock", "--no-limits"]) { sandbox, _ in
            let folder = sandbox.exports("out")
            let arguments = ["export", "attributes", "--to", folder.path, "--with", "options"]
            let attribute = try await sandbox.clover(
                "post", "attributes", "--field", "name=Size", "-r", "--jq", ".id")
            let id = try #require(attribute.lines.first, "\(attribute)")
            expectSuccess(try await sandbox.clover(arguments))
            #expect(try folder.records(of: "attributes.options").filter { $0["parentId"]?.string == id } == [])
            let option = try await sandbox.clover("post", "attributes/\(id)/options", "--field", "name=Large")
            #expect(option.status == 0, "\(option)")
            expectSuccess(try await sandbox.clover(arguments))
            let options = try folder.records(of: "attributes.options").filter { $0["parentId"]?.string == id }
            #expect(options.map { $0["name"]?.string } == ["Large"])
        }
    }

    @Test("a run without a part and with a longer overlap does not hide the part of what came meanwhile")
    func longerOverlap() async throws {
        try await Sandbox.run(unpaced: ["--orders", "60", "--now", "clock", "--no-limits"]) { sandbox, emulator in
            func database(_ name: String) -> ExportedDatabase { ExportedDatabase(sandbox: sandbox, name: name) }
            func run(_ address: String, _ options: [String]) async throws {
                let result = try await sandbox.clover(["export", "orders", "--to", address] + options)
                #expect(result.status == 0, "\(result)")
            }
            let with = ["--with", "line_items"]
            let (folder, tables) = (sandbox.exports("out"), database("shop.db"))
            // So that the newest record is as old as the run.
            try await emulator.churn(10)
            for address in [folder.path, tables.address] { try await run(address, with) }
            try await emulator.churn(40)
            for address in [folder.path, tables.address] {
                try await run(address, ["--overlap", "1h"])
                try await run(address, with)
            }
            let (fresh, whole) = (sandbox.exports("fresh"), database("whole.db"))
            for address in [fresh.path, whole.address] { try await run(address, with) }
            let found = try folder.lineItems()
            for (order, items) in try fresh.lineItems() { #expect(found[order] == items, "\(order)") }
            let entries = "SELECT parent_id, id FROM orders__line_items"
            #expect(Set(try whole.rows(entries)).subtracting(try tables.rows(entries)).isEmpty)
            // Once is enough.
            let files = folder.files
            try await run(folder.path, with)
            #expect(folder.files == files)
        }
    }

    @Test("line items removed before a run without the part are gone from a database after the next run with it")
    func emptied() async throws {
        try await Sandbox.run(unpaced: ["--orders", "20", "--now", "clock", "--no-limits"]) { sandbox, _ in
            func created(_ path: String, _ fields: String...) async throws -> String {
                let options = fields.flatMap { ["--field", $0] }
                let result = try await sandbox.clover(["post", path] + options + ["-r", "--jq", ".id"])
                return try #require(result.lines.first, "\(result)")
            }
            let with = ["--with", "line_items"]
            for (number, between) in [[], ["--full"], ["--since", "-1d"]].enumerated() {
                let tables = ExportedDatabase(sandbox: sandbox, name: "shop\(number).db")
                func run(_ options: [String]) async throws {
                    let result = try await sandbox.clover(["export", "orders", "--to", tables.address] + options)
                    #expect(result.status == 0, "\(result)")
                }
                let order = try await created("orders", "state=open")
                let other = try await created("orders", "state=open")
                let line = try await created("orders/\(order)/line_items", "name=Tea", "price=500")
                let entries = "SELECT parent_id FROM orders__line_items WHERE parent_id IN ('\(order)', '\(other)')"
                try await run(with)
                #expect(try tables.rows(entries) == [order])
                let removed = try await sandbox.clover("delete", "orders/\(order)/line_items/\(line)")
                #expect(removed.status == 0, "\(removed)")
                _ = try await created("orders/\(other)/line_items", "name=Tea", "price=500")
                try await run(between)
                try await run(with)
                #expect(try tables.rows(entries) == [other], "\(between)")
                let verified = try await sandbox.clover("export", "verify", tables.address)
                #expect(verified.status == 0, "\(verified)")
            }
        }
    }

    @Test("an unknown part is refused with the names of existing ones")
    func unknown() async throws {
        try await Sandbox.run(emulator: ["--orders", "5"]) { sandbox, _ in
            expectFailure(
                try await sandbox.clover("export", "employees", "--to", sandbox.directory["out"], "--with", "tips"),
                status: 64, saying: "employees has no parts 'tips'",
                "there are: cash_events, orders, payments, roles, shifts")
        }
    }
}

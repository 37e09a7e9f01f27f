import CloverTestSupport
import Foundation
import Testing

@Suite("filters that the catalogue lacks")
struct FilterNameTests {
    /// A service that filters nothing, and names these fields in its header; nil for no header.
    private func serve(_ header: String?, _ body: (Sandbox, LoopbackServer) async throws -> Void) async throws {
        try await Sandbox.run(
            server: { request, _ in
                let records = request.values(of: "offset").isEmpty ? [#"{"id":"A"}"#] : []
                let fields = header.map { ["X-Clover-Allowed-Filter-Fields: \($0)"] } ?? []
                return LoopbackResponse(
                    headers: ["Content-Type: application/json"] + fields, body: LoopbackResponse.envelope(records))
            }, body)
    }

    @Test("a name that Clover has is sent with a notice, and Clover is asked about it once")
    func accepted() async throws {
        try await serve("id, name, shelfLife") { sandbox, server in
            for _ in 0..<2 {
                let result = try await sandbox.clover("get", "items", "--filter", "shelfLife>3", "--filter", "name=x")
                #expect(result.ending == .exited(0), "\(result)")
                #expect(result.lines == [#"{"id":"A"}"#])
                #expect(result.errorText.contains("items: Clover filters by shelfLife, which the catalogue lacks"))
            }
            #expect(server.requests.count { $0.query.allSatisfy { !$0.hasPrefix("filter=") } } == 1)
        }
    }

    @Test("a name that Clover does not have either is refused, with the nearest ones")
    func refused() async throws {
        try await serve("id, name") { sandbox, server in
            for _ in 0..<2 {
                let result = try await sandbox.clover("get", "items", "--filter", "nmae=x")
                expectFailure(result, status: 64, saying: "unknown filter 'nmae' for items", "did you mean: name")
            }
            #expect(server.requests.count == 1)
        }
    }

    @Test("names are suggested from those of the service, not from those that only the catalogue has")
    func goneNames() async throws {
        try await serve("id, shelfLife") { sandbox, _ in
            let result = try await sandbox.clover("get", "items", "--filter", "nmae=x")
            expectFailure(result, status: 64, saying: "unknown filter 'nmae' for items", "it takes: id, shelfLife ")
            #expect(!result.errorText.contains("name,") && !result.errorText.contains("did you mean"), "\(result)")
        }
    }

    @Test("an unknown name is refused before its value is checked, and one that the records have is chosen by here")
    func namesFirst() async throws {
        try await serve("id, name, price") { sandbox, _ in
            for name in ["priceType", "pricetype"] {
                let result = try await sandbox.clover("get", "items", "--filter", "\(name)=FIXD")
                expectFailure(
                    result, status: 64, saying: "unknown filter '\(name)' for items", "the records have priceType",
                    "select(.priceType == ...)")
                #expect(!result.errorText.contains("did you mean"), "\(result)")
            }
        }
        // A name that Clover has, although the catalogue lacks it: then its value counts.
        try await serve("id, priceType") { sandbox, _ in
            expectFailure(
                try await sandbox.clover("get", "items", "--filter", "priceType=FIXD"), status: 64,
                saying: "priceType takes one of", "did you mean: FIXED")
        }
    }

    @Test("of a few names, none of which is near, none is suggested")
    func farNames() async throws {
        try await serve("id, name") { sandbox, _ in
            let result = try await sandbox.clover("get", "order_types", "--filter", "bogus=1")
            expectFailure(result, status: 64, saying: "unknown filter 'bogus' for order_types", "it takes: ")
            #expect(!result.errorText.contains("did you mean"), "\(result)")
        }
    }

    @Test("a response is delivered although Clover does not name the field of a filter, and the run is incomplete")
    func unproved() async throws {
        for (header, filter) in [(nil, "cost>3"), ("id", "name=x")] {
            try await serve(header) { sandbox, _ in
                let receipt = sandbox.directory["receipt"]
                let result = try await sandbox.clover("get", "items", "--filter", filter, "--receipt", receipt)
                expectFailure(result, status: 79, saying: "Clover does not say that it filters items by", output: nil)
                #expect(result.lines == [#"{"id":"A"}"#])
                let accepted = try await sandbox.clover("get", "items", "--filter", filter, "--no-check")
                expectSuccess(accepted)
            }
        }
    }

    @Test("a list that is read in windows is delivered although Clover does not name the field of its times")
    func unprovedWindows() async throws {
        try await serve("id, total") { sandbox, _ in
            let result = try await sandbox.clover(
                "get", "payments", "--filter", "createdTime>=2026-01-01T00:00Z", "--filter",
                "createdTime<2026-09-01T00:00Z", "--all")
            expectFailure(result, status: 79, saying: "createdTime", output: nil)
            #expect(result.lines == [#"{"id":"A"}"#])
        }
    }

    @Test("records of other days are left out, and the run and its receipt say that the service does not filter")
    func ignoredTime() async throws {
        let records = (1...20).map { #"{"id":"P\#($0)","createdTime":\#(1_770_000_000_000 + Int64($0) * 86_400_000)}"# }
        try await Sandbox.run(server: { request, _ in
            LoopbackResponse(body: ServedList(records: records).body(for: request))
        }) { sandbox, _ in
            let receipt = sandbox.directory["receipt"]
            let get = [
                "get", "payments", "--all", "--filter", "createdTime>=1770040000000", "--filter",
                "createdTime<1770160000000",
            ]
            let result = try await sandbox.clover(get + ["--receipt", receipt])
            expectFailure(
                result, status: 79, saying: "does not filter payments as asked", "it returned P2", output: nil)
            #expect(
                result.errorText.contains("2026-02-03T23:06:40.000Z") && result.errorText.contains("19 such records"))
            #expect(result.lines == [records[0]], "\(result)")
            let proof = try JSONValue(try String(contentsOfFile: receipt, encoding: .utf8))
            #expect(proof["complete"] == .bool(false) && proof["recordsRead"]?.integer == 20, "\(proof)")
            let accepted = try await sandbox.clover(get + ["--no-check"])
            expectSuccess(accepted)
            #expect(accepted.lines == records)
        }
    }

    @Test("a value that a record has in place of the one asked for is not printed: it may be a PIN")
    func ignoredSecret() async throws {
        let records = [#"{"id":"E1","name":"Ann","pin":"752223"}"#]
        try await Sandbox.run(server: { request, _ in
            LoopbackResponse(body: ServedList(records: records).body(for: request))
        }) { sandbox, _ in
            for options in [[], ["--json"]] {
                let result = try await sandbox.clover(["get", "employees", "--filter", "pin=1234"] + options)
                #expect(result.status == 79 && result.errorText.contains("it returned E1"), "\(result)")
                #expect(!result.errorText.contains("752223"), "\(result)")
            }
        }
    }

    @Test("a list that is read in windows is delivered, and named, if the service ignores them")
    func ignoredWindows() async throws {
        let records = (0..<4).map {
            #"{"id":"P\#($0)","createdTime":\#(1_770_000_000_000 + Int64($0) * 8_640_000_000)}"#
        }
        try await Sandbox.run(server: { request, _ in
            LoopbackResponse(body: ServedList(records: records).body(for: request))
        }) { sandbox, _ in
            let get = ["get", "payments", "--all", "--filter", "createdTime>=1769000000000"]
            let result = try await sandbox.clover(get)
            expectFailure(result, status: 79, saying: "although outside of the time asked for", output: nil)
            #expect(Set(result.lines) == Set(records), "\(result)")
        }
    }

    @Test("a charge of another customer is not delivered; a field that a list without a header has is a filter")
    func ecommerce() async throws {
        let charges = [
            #"{"id":"C1","customer":"K1","status":"succeeded","oddity":"a","created":1770000000000}"#,
            #"{"id":"C2","customer":"K2","status":"failed","oddity":"b","created":1770000000000}"#,
        ]
        try await Sandbox.run(server: { request, _ in
            LoopbackResponse(#"{"has_more":false,"data":[\#(charges.joined(separator: ","))]}"#)
        }) { sandbox, _ in
            let other = try await sandbox.clover("get", "charges", "--all", "--filter", "customer=K1")
            expectFailure(other, status: 79, saying: "does not filter charges as asked", "C2", output: nil)
            #expect(other.lines == [charges[0]], "\(other)")
            // One is in the catalogue's records, and one only in those of the service.
            for filter in ["status=failed", "oddity=b"] {
                let field = try await sandbox.clover("get", "charges", "--all", "--filter", filter)
                expectFailure(field, status: 79, saying: "C1", output: nil)
                #expect(field.lines == [charges[1]], "\(field)")
            }
            let unknown = try await sandbox.clover("get", "charges", "--all", "--filter", "stats=failed")
            expectFailure(unknown, status: 64, saying: "unknown filter 'stats' for charges")
        }
    }

    @Test("without a header, a field of the records that the catalogue lacks is sent, and the run is incomplete")
    func unknownField() async throws {
        try await Sandbox.run(server: { request, _ in
            LoopbackResponse(body: ServedList(records: [#"{"id":"A","oddity":"a"}"#]).body(for: request))
        }) { sandbox, _ in
            let result = try await sandbox.clover("get", "items", "--filter", "oddity=a")
            expectFailure(
                result, status: 79, saying: "Clover does not say that it filters items by oddity", output: nil)
            #expect(result.lines == [#"{"id":"A","oddity":"a"}"#])
            expectFailure(
                try await sandbox.clover("get", "items", "--filter", "odity=a"), status: 64, saying: "unknown filter")
        }
    }

    @Test("an error names Clover's id of its request, in text, as JSON and with --debug")
    func requestID() async throws {
        let id = "d92e3a52-cb86-0872-ecac-a9324cbddadf"
        try await Sandbox.run(server: { _, _ in
            LoopbackResponse(
                status: "404 Not Found", headers: ["Content-Type: application/json", "X-Clover-Request-Id: \(id)"],
                body: #"{"message":"Not Found","details":"Order not found"}"#.utf8)
        }) { sandbox, _ in
            let text = try await sandbox.clover("get", "orders", "X1")
            expectFailure(text, status: 66, saying: "Request ID, for Clover support: \(id)")
            let json = try await sandbox.clover("get", "orders", "X1", "--json")
            let line = try #require(json.errorText.split(separator: "\n").last)
            #expect(try JSONValue(String(line))["error"]?["requestId"]?.string == id, "\(json)")
            let debug = try await sandbox.clover("get", "orders", "X1", "--debug", "response")
            #expect(debug.errorText.contains("request id \(id)"), "\(debug)")
        }
    }
}

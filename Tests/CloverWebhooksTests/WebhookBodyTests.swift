import CloverWebhooks
import Testing

@Suite("webhook bodies")
struct WebhookBodyTests {
    private static func events(_ text: String) throws -> [WebhookEvent] {
        guard case .events(let events) = try WebhookBody(Array(text.utf8)) else { return [] }
        return events
    }

    @Test("several merchants and events come in the order in which they were sent, whatever the order of members")
    func order() throws {
        let events = try Self.events(
            """
            {"appId":"APP1","merchants":{
              "M2":[{"type":"CREATE","ts":1487000000111,"objectId":"O:ZSRG"},
                    {"objectId":"P:PAY","type":"UPDATE","ts":1487000000200}],
              "M1":[{"objectId":"A:APP1","type":"DELETE","ts":1760000000456}]}}
            """)
        #expect(
            events == [
                WebhookEvent(
                    merchant: "M2", kind: "order", isKnown: true, id: "ZSRG", type: "CREATE", time: 1_487_000_000_111,
                    path: "orders/ZSRG"),
                WebhookEvent(
                    merchant: "M2", kind: "payment", isKnown: true, id: "PAY", type: "UPDATE", time: 1_487_000_000_200,
                    path: "payments/PAY"),
                WebhookEvent(
                    merchant: "M1", kind: "app", isKnown: true, id: "APP1", type: "DELETE", time: 1_760_000_000_456,
                    path: "/v3/apps/APP1/merchants/M1/billing_info"),
            ])
    }

    @Test(
        "every documented key has a kind, and a path where Clover has a request for the object",
        arguments: [
            ("A", "app", "/v3/apps/X1/merchants/M/billing_info"), ("C", "customer", "customers/X1"),
            ("CA", "cashEvent", nil),
            ("E", "employee", "employees/X1"), ("I", "item", "items/X1"), ("IC", "category", "categories/X1"),
            ("IG", "modifierGroup", "modifier_groups/X1"), ("IM", "modifier", nil), ("M", "merchant", "merchant"),
            ("O", "order", "orders/X1"), ("P", "payment", "payments/X1"), ("SH", "serviceHours", "opening_hours/X1"),
        ] as [(String, String, String?)])
    func kinds(_ key: String, _ kind: String, _ path: String?) throws {
        let event = try #require(
            try Self.events(#"{"merchants":{"M":[{"objectId":"\#(key):X1","type":"UPDATE","ts":1}]}}"#).first)
        #expect(event.kind == kind && event.isKnown && event.path == path && event.id == "X1")
        #expect(WebhookKind.allCases.count == 12)
    }

    @Test("unknown keys and types, and members that are missing, are passed on")
    func unknown() throws {
        let events = try Self.events(
            #"{"merchants":{"M":[{"objectId":"ZZ:a:b","type":"ARCHIVE","more":[{}]},{"objectId":"bare","type":"UPDATE"}]}}"#
        )
        #expect(
            events == [
                WebhookEvent(merchant: "M", kind: "ZZ", isKnown: false, id: "a:b", type: "ARCHIVE", time: nil),
                WebhookEvent(merchant: "M", kind: nil, isKnown: false, id: "bare", type: "UPDATE", time: nil),
            ])
    }

    @Test("an ID that could lead to another path has none", arguments: ["../../merchants", "a?b", "a/b", "", "a%2f"])
    func hostileID(_ id: String) throws {
        let event = try #require(
            try Self.events(#"{"merchants":{"M":[{"objectId":"O:\#(id)","type":"UPDATE","ts":1}]}}"#).first)
        #expect(event.id == id && event.path == nil)
    }

    @Test("the verification code of the dashboard is recognized")
    func verification() throws {
        let body = try WebhookBody(Array(#"{"verificationCode":"428653dd-be16"}"#.utf8))
        #expect(body == .verification(code: "428653dd-be16"))
    }

    @Test(
        "a body of Hosted Checkout is an event, however its members are capitalised",
        arguments: [
            #"{"createdTime":1700000000,"message":"Approved for 100","status":"APPROVED","type":"PAYMENT","#
                + #""id":"P-1","merchantId":"M","data":"S-1"}"#,
            #"{"CreatedTime":1700000000000,"Status":"APPROVED","Type":"PAYMENT","Id":"P-1","MerchantId":"M","Data":"S-1"}"#,
        ])
    func checkout(_ text: String) throws {
        #expect(
            try Self.events(text) == [
                WebhookEvent(
                    merchant: "M", kind: "checkout", isKnown: true, id: "P-1", type: "APPROVED",
                    time: 1_700_000_000_000, session: "S-1")
            ])
    }

    @Test("any time of a body is read, as far as it is a whole number", arguments: [Int64.min, -1, 0, .max])
    func extremeTimes(_ time: Int64) throws {
        let checkout = try Self.events(#"{"createdTime":\#(time),"status":"APPROVED","merchantId":"M"}"#)
        #expect(checkout.map(\.time) == [time == -1 ? -1000 : time])
        let change = try Self.events(#"{"merchants":{"M":[{"objectId":"O:1","type":"UPDATE","ts":\#(time)}]}}"#)
        #expect(change.map(\.time) == [time])
    }

    @Test(
        "what is no body of a webhook is refused with the reason",
        arguments: [
            ("", "line 1 is not valid JSON at byte 1"), ("{\"merchants\":\n{}", "line 2 is not valid JSON at byte 3"),
            ("[]", "not an object"), ("{}", "it has no 'merchants'"), (#"{"merchants":{"M":{}}}"#, "list of events"),
            (#"{"merchants":{"M":[1]}}"#, "event 1 of merchant M is no object"),
            (#"{"merchants":{"M":[{"type":"UPDATE"},2]}}"#, "event 1 of merchant M has no 'objectId'"),
            (#"{"merchants":{"M":[{"objectId":"O:1"}]}}"#, "event 1 of merchant M has no 'type'"),
            (#"{"verificationCode":"\#(String(repeating: "x", count: 257))"}"#, "longer than 256 bytes"),
            (String(repeating: "[", count: 300), "nested more than 200 levels"),
            ("{\"a\":\"\u{0}\"}", "not valid JSON at byte 7"),
        ])
    func refused(_ text: String, _ reason: String) {
        let error = #expect(throws: WebhookBodyError.self) { try WebhookBody(Array(text.utf8)) }
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "accepted")")
    }

    @Test("damaged events beside a good one are passed on as unknown")
    func damagedEvents() throws {
        let long = String(repeating: "x", count: 257)
        let events = try Self.events(
            #"{"merchants":{"L":[1,{"type":"UPDATE","ts":5},{"objectId":"\#(long)","type":"UPDATE"}],"#
                + #""M":[{"objectId":"O:1","type":"UPDATE","ts":1},{"objectId":"O:2"}]}}"#)
        func unknown(_ type: String, _ time: Int64?) -> WebhookEvent {
            WebhookEvent(merchant: "L", kind: nil, isKnown: false, id: nil, type: type, time: time)
        }
        #expect(Array(events.prefix(3)) == [unknown("UNKNOWN", nil), unknown("UPDATE", 5), unknown("UPDATE", nil)])
        #expect(events.dropFirst(3).map(\.path) == ["orders/1", "orders/2"])
        #expect(events.dropFirst(3).map(\.type) == ["UPDATE", "UNKNOWN"])
    }

    @Test(
        "a body of Hosted Checkout from before it had a status is read by its message",
        arguments: [("Approved for 100", "APPROVED"), ("Decline for 100", "DECLINED")])
    func olderCheckout(_ message: String, _ type: String) throws {
        let event = try #require(
            try Self.events(#"{"createdTime":1,"message":"\#(message)","id":"P","merchantId":"M","data":"S"}"#).first)
        #expect(event.kind == "checkout" && event.type == type && event.id == "P" && event.session == "S")
    }

    @Test(
        "a body of Hosted Checkout that does not say how it ended is passed on as unknown, and another status as sent",
        arguments: [
            (#""message":"Voided for 100","type":"PAYMENT""#, "UNKNOWN"), (#""type":"PAYMENT""#, "UNKNOWN"),
            (#""message":"Approved for 100","status":"REFUNDED","type":"PAYMENT""#, "REFUNDED"),
            (#""message":"Approved for 100","status":"APPROVED","type":"REFUND""#, "UNKNOWN"),
        ])
    func unknownCheckout(_ members: String, _ type: String) throws {
        #expect(
            try Self.events(#"{\#(members),"id":"P","merchantId":"M","data":"S"}"#) == [
                WebhookEvent(
                    merchant: "M", kind: "checkout", isKnown: false, id: "P", type: type, time: nil, session: "S")
            ])
    }

    @Test("a body of 1 MiB is read, and one of a byte more is refused")
    func size() throws {
        let text = #"{"verificationCode":"x"}"#
        let padded = Array(text.utf8) + [UInt8](repeating: 0x20, count: WebhookBody.limit - text.utf8.count)
        #expect(try WebhookBody(padded) == .verification(code: "x"))
        #expect(throws: WebhookBodyError.tooLarge) { try WebhookBody(padded + [0x20]) }
    }
}

@Suite("saved bodies in one text")
struct WebhookBodySplitterTests {
    private static func pieces(_ text: String, chunk: Int) throws -> [String] {
        var splitter = WebhookBodySplitter()
        var pieces: [[UInt8]] = []
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: chunk) {
            pieces += try splitter.add(Array(bytes[start..<min(start + chunk, bytes.count)]))
        }
        if let rest = splitter.rest() { pieces.append(rest) }
        return pieces.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("values are cut apart wherever the chunks end", arguments: [1, 2, 7, 1000])
    func values(_ chunk: Int) throws {
        let text = "{\"a\":\"}\\\"{\"}\n\n  {\n \"b\": [1,\n2]}{\"c\":{}}\n17\nnot json\n{\"open\":"
        #expect(
            try Self.pieces(text, chunk: chunk) == [
                "{\"a\":\"}\\\"{\"}", "{\n \"b\": [1,\n2]}", "{\"c\":{}}", "17", "not json", "{\"open\":",
            ])
    }

    @Test("a value without an end is refused as soon as it is larger than a body may be")
    func tooLarge() throws {
        var splitter = WebhookBodySplitter()
        #expect(try splitter.add([UInt8](repeating: UInt8(ascii: "["), count: WebhookBody.limit)).isEmpty)
        #expect(throws: WebhookBodyError.tooLarge) { try splitter.add([UInt8(ascii: "[")]) }
    }
}

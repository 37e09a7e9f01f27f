import CloverTestSupport
import Foundation
import Testing

@Suite("recorded responses: the emulator")
struct EmulatorFidelityTests {
    @Test("the emulator gives the response of every case, but for the differences on the page")
    func responses() async throws {
        var found: Set<Difference> = []
        let cases = Dictionary(grouping: RecordedCase.all.filter { $0.status != 0 }) { EmulatorQuestion.fault[$0.name] }
        for (fault, cases) in cases {
            let flags = fault.map { ["--fault", $0] } ?? []
            let shop = ["--orders", "300", "--seed", "5", "--auto-approve", "--no-limits"]
            try await Sandbox.run(emulator: shop + flags) { _, emulator in
                let shop = EmulatedShop(emulator)
                // What writes and charges make would hide what the seeded records lack, and the reverse.
                let reads = cases.filter { $0.method == "GET" && $0.path.hasPrefix("/v3/") }
                for recorded in reads + cases.filter({ $0.method != "GET" || !$0.path.hasPrefix("/v3/") }) {
                    found.formUnion(try await shop.differences(from: recorded))
                }
            }
        }
        try await found.formUnion(webhooks())
        try expect(found)
    }

    /// Serves the address of an app's webhooks, and compares what the emulator posts there with the cases.
    private func webhooks() async throws -> Set<Difference> {
        try await Sandbox.run(server: { _, _ in LoopbackResponse("") }) { _, server in
            let emulator = try await EmulatorProcess(
                ["--orders", "5", "--webhook-url", server.url + "/your-callback", "--webhook-bundle", "4"])
            try await server.waitForRequests(1)
            let shop = EmulatedShop(emulator)
            let order = try #require(try await shop.ask("POST", "/v3/merchants/{mId}/orders", "{}").json?["id"]?.string)
            for title in 1...3 {
                _ = try await shop.ask("POST", "/v3/merchants/{mId}/orders/\(order)", #"{"title":"\#(title)"}"#)
            }
            try await server.waitForRequests(2)
            let posted = server.requests.map {
                EmulatedShop.Answer(
                    status: 0, headers: $0.headers.map { "\($0.name): \($0.value)" },
                    body: String(decoding: $0.body, as: UTF8.self))
            }
            var found: Set<Difference> = []
            for recorded in RecordedCase.all where recorded.status == 0 {
                let isCode = recorded.json?["verificationCode"] != nil
                let body = try #require(posted.first { ($0.json?["verificationCode"] != nil) == isCode })
                found.formUnion(Difference.all(of: body, from: recorded))
            }
            return found
        }
    }

    /// The page states these differences, and no others. A line holds for those of its cases that have the difference.
    private func expect(_ found: Set<Difference>) throws {
        let lines = try FidelityPage.rows().filter { $0.count == 3 && $0[1].hasPrefix("`") }.map {
            (cases: Set(FidelityPage.marked($0[0])), parts: Set(FidelityPage.marked($0[1])))
        }
        let unstated = found.filter { difference in
            !lines.contains { $0.cases.contains(difference.name) && $0.parts.contains(difference.part) }
        }
        #expect(unstated.map(\.description).sorted() == [], "differences without a reason")
        for line in lines {
            let held = found.filter { line.cases.contains($0.name) && line.parts.contains($0.part) }
            #expect(
                line.cases.subtracting(held.map(\.name)) == [], "reasons for differences that are gone: \(line.parts)")
            #expect(
                line.parts.subtracting(held.map(\.part)) == [], "reasons for differences that are gone: \(line.cases)")
        }
    }
}

/// One part of a response in which the emulator differs from a case.
private struct Difference: Hashable, CustomStringConvertible {
    let name: String
    /// `status`, `text`, `header NAME`, `filter NAME`, `list KEY` for the envelope, `KEY = VALUE` for a fixed word,
    /// `KEY null`, or a key that is missing or has another type.
    let part: String

    var description: String { "\(name): \(part)" }

    /// - Parameter similar: further records that the emulator shows in place of the one of the case.
    static func all(
        of answer: EmulatedShop.Answer, from recorded: RecordedCase, similar: [JSONValue] = []
    ) -> Set<Difference> {
        var parts = headers(of: answer, from: recorded)
        if answer.status != recorded.status { parts.insert("status") }
        if let expected = recorded.json {
            parts.formUnion(body(answer.json ?? .null, from: expected, similar))
            parts.formUnion(words(answer.json ?? .null, from: expected, isError: recorded.status >= 400))
        } else if !isSimilar(answer.body, recorded.body) {
            parts.insert("text")
        }
        if merchants(answer.json) < merchants(recorded.json) { parts.insert("merchants") }
        return Set(parts.map { Difference(name: recorded.name, part: $0) })
    }

    /// The number of merchants in a webhook's body.
    private static func merchants(_ body: JSONValue?) -> Int { body?["merchants"]?.keys.count ?? 0 }

    private static func headers(of answer: EmulatedShop.Answer, from recorded: RecordedCase) -> Set<String> {
        var parts: Set<String> = []
        func value(_ name: String, _ lines: [String]) -> String? {
            let line = lines.first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
            return line.map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
        }
        func names(_ text: String) -> Set<String> {
            Set(text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) })
        }
        for name in Set(recorded.headers.compactMap { $0.split(separator: ":").first.map(String.init) }).union([
            "Content-Type"
        ]) {
            let expected = value(name, recorded.headers)
            guard let shown = value(name, answer.headers), let expected else {
                if value(name, answer.headers) != expected { parts.insert("header \(name)") }
                continue
            }
            switch name {
            case "X-Clover-Allowed-Filter-Fields":
                parts.formUnion(names(expected).subtracting(names(shown)).map { "filter \($0)" })
            case "X-Clover-Request-Id", "X-Clover-Auth":
                if shown.wholeMatch(of: #/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/#) == nil {
                    parts.insert("header \(name)")
                }
            case "Content-Type": if shown != expected { parts.insert("header \(name)") }
            case "Allow": if names(shown) != names(expected) { parts.insert("header \(name)") }
            default: break
            }
        }
        return parts
    }

    /// Pages of a proxy are alike; all other text is the same, and an empty one empty.
    private static func isSimilar(_ shown: String, _ expected: String) -> Bool {
        expected.hasPrefix("<") ? shown.hasPrefix("<") : shown == expected
    }

    private static func body(_ shown: JSONValue, from expected: JSONValue, _ similar: [JSONValue]) -> Set<String> {
        func split(_ value: JSONValue) -> (records: [JSONValue], envelope: JSONValue?) {
            if let list = value.elements { return (list, nil) }
            for name in ["elements", "data"] {
                guard case .object(let members) = value, let list = members[name]?.elements else { continue }
                return (list, .object(members))
            }
            return ([value], nil)
        }
        let (wanted, own) = (split(expected), split(shown))
        var parts = KeyTypes.missing(of: wanted.records, in: own.records + similar)
        if let envelope = wanted.envelope {
            for key in envelope.keys where own.envelope?[key] == nil { parts.insert("list \(key)") }
        } else if expected.elements != nil, shown.elements == nil {
            parts.insert("list")
        }
        return parts
    }

    /// Words that are the same in every response: those of an error, and the state of a charge.
    private static func words(_ shown: JSONValue, from expected: JSONValue, isError: Bool) -> Set<String> {
        let keys =
            isError
            ? [["message"], ["details"], ["error", "type"], ["error", "code"], ["type"]]
            : [["status"], ["object"], ["captured"], ["paid"]]
        var parts: Set<String> = []
        for key in keys {
            guard let word = key.reduce(expected, { $0?[$1] }), word != key.reduce(shown, { $0?[$1] }) else { continue }
            // The prose of messages was reworded in the cases.
            if key == ["message"], word.string?.contains(#/^[0-9]{3} |^Not Found$/#) != true { continue }
            let text = word.string ?? word.integer.map(String.init) ?? "\(word == .bool(true))"
            parts.insert("\(key.joined(separator: ".")) = \(text)")
        }
        return parts
    }
}

/// How the emulator is asked for the response of a case. The cases have no bodies of requests, and the ids of another
/// shop. `{orders}` stands for an order's id, and so on; see ``EmulatedShop``.
private enum EmulatorQuestion {
    /// The faults of the responses that do not come by themselves.
    static let fault = [
        "ecomm-3ds-method": "3ds", "ecomm-504-html": "503-html:/v1/charges", "error-502-html": "503-html:/orders",
        "ecomm-decline-expired": "decline", "ecomm-decline-no-type": "decline", "paydisplay-busy": "busy",
        "paydisplay-sale-failed": "decline", "ecomm-list-cursor-repeated": "cursor-again",
        "ecomm-refund-pending": "pending:/v1/refunds", "ecomm-list-bare-array": "bare-list",
        "ecomm-refund-list": "bare-list",
    ]

    static let target = [
        "error-404-order": "/v3/merchants/{mId}/orders/PDQK471ANJ0SH/line_items",
        "error-400-nested": "/v3/merchants/{mId}/items?filter=nonsense=1",
        "orders-between": "/v3/merchants/{mId}/orders?filter=createdTime%3C=4102444800000&limit=1000",
        "orders-paid-between": "/v3/merchants/{mId}/orders?filter=state=locked&limit=1000",
        "ecomm-charge-one": "/v1/charges/{charge}", "ecomm-capture": "/v1/charges/{hold}/capture",
        "ecomm-list-cursor-repeated": "/v1/charges?limit=3&starting_after={charge}",
        "ecomm-order-paid": "/v1/orders/{chargedOrder}",
        "paydisplay-refund": "/connect/v1/payments/{devicePayment}/refunds",
    ]

    /// What is made before the list that has it is read.
    static let before = [
        "ecomm-list-has-more-false": "{charge}", "ecomm-list-bare-array": "{charge}", "ecomm-refund-list": "{refund}",
        "ecomm-list-minor-refunded": "{refund}",
    ]

    /// No program pays an order of the ecommerce interface; it is compared as it is read.
    static let method = ["ecomm-order-paid": "GET"]

    static let charge = #"{"amount":5298,"currency":"usd","source":"{token}""#
    static let sale = #"{"amount":141,"final":true,"externalPaymentId":"401333037"}"#

    static let body = [
        "atomic-order-checkout": #"{"orderCart":{"lineItems":[{"item":{"id":"{items}"}}]}}"#,
        "ecomm-3ds-method": charge + "}", "ecomm-401": charge + "}", "ecomm-504-html": charge + "}",
        "ecomm-decline-expired": charge + "}", "ecomm-decline-no-type": charge + "}",
        "ecomm-charge-created": charge + "}", "ecomm-charge-authorised": charge + #","capture":false}"#,
        "ecomm-amount-invalid": #"{"amount":0,"currency":"usd","source":"{token}"}"#,
        "ecomm-token-used": #"{"amount":5298,"currency":"usd","source":"{spent}"}"#,
        "ecomm-capture": "{}", "ecomm-customer-missing": #"{"source":"{token}"}"#,
        "ecomm-refund": #"{"charge":"{charge}","amount":431}"#,
        "ecomm-refund-pending": #"{"charge":"{charge}","amount":431}"#,
        "error-400-plain": "{}", "error-405-post-service-charge": "{}",
        "line-item-created": #"{"item":{"id":"{items}"}}"#,
        "modifier-created": #"{"name":"Extra Pickle","price":0}"#,
        "modifier-group-created": #"{"name":"Spice Level","maxAllowed":1}"#,
        "oauth-token-v2": #"{"client_id":"{appId}","client_secret":"{appSecret}","code":"{code}"}"#,
        "order-type-created": #"{"label":"Kerbside","isDefault":true,"fee":137,"minOrderAmount":537}"#,
        "paydisplay-busy": sale, "paydisplay-sale-failed": sale, "paydisplay-refund": #"{"amount":91}"#,
        "tax-rate-created": #"{"name":"County Levy","rate":575000}"#,
    ]

    /// The path of a case with the emulator's ids: `orders/ID/line_items` becomes `orders/{orders}/line_items`.
    static func target(of recorded: RecordedCase) -> String {
        if let target = target[recorded.name] { return target }
        let prefix = "/v3/merchants/\(RecordedCase.merchantID)"
        guard recorded.path.hasPrefix(prefix) else {
            return recorded.path + (recorded.query.isEmpty ? "" : "?" + recorded.query)
        }
        var parts = recorded.path.dropFirst(prefix.count).split(separator: "/").map(String.init)
        if parts.count > 1, parts[0] != "atomic_order" { parts[1] = "{\(parts[0])}" }
        return (["/v3/merchants/{mId}"] + parts).joined(separator: "/")
            + (recorded.query.isEmpty ? "" : "?" + recorded.query)
    }
}

/// An emulator that is asked without `clover`.
private struct EmulatedShop: Sendable {
    /// A response, unchanged.
    struct Answer: Sendable {
        let status: Int
        let headers: [String]
        let body: String

        var json: JSONValue? { try? JSONValue(body) }
    }

    private let emulator: EmulatorProcess
    private let curl = CommandRunner(executable: "/usr/bin/curl", environment: [:])

    init(_ emulator: EmulatorProcess) { self.emulator = emulator }

    func differences(from recorded: RecordedCase) async throws -> Set<Difference> {
        let target = EmulatorQuestion.target(of: recorded)
        let method = EmulatorQuestion.method[recorded.name] ?? recorded.method
        let token = recorded.status == 401 ? "none" : emulator.accessToken
        _ = try await filled(EmulatorQuestion.before[recorded.name] ?? "")
        let answer = try await ask(method, target, EmulatorQuestion.body[recorded.name], token: token)
        var similar: [JSONValue] = []
        // The records of a list stand for a single one of it.
        let parts = recorded.typedPath.split(separator: "/").map(String.init)
        if recorded.method == "GET", recorded.status == 200, recorded.path.hasPrefix("/v3/"),
            recorded.records != nil || parts.count == 2, let first = parts.first
        {
            let list = parts.count == 3 ? "\(first)/{\(first)}/\(parts[2])" : first
            let expand = recorded.query.hasPrefix("expand=") ? "&\(recorded.query)" : ""
            similar =
                try await ask("GET", "/v3/merchants/{mId}/\(list)?limit=500\(expand)").json?["elements"]?.elements ?? []
        }
        return Difference.all(of: answer, from: recorded, similar: similar)
    }

    /// Sends a request with the headers that any of them needs; see ``filled(_:)`` for names in braces.
    func ask(_ method: String, _ target: String, _ body: String? = nil, token: String? = nil) async throws -> Answer {
        let device = target.hasPrefix("/connect/") ? try await filled("{device}") : ""
        let key = target == "/v1/tokens" ? try await ask("GET", "/pakms/apikey").json?["apiAccessKey"]?.string : nil
        let headers = [
            "Authorization: Bearer \(token ?? emulator.accessToken)", "Content-Type: application/json",
            "X-Forwarded-For: 203.0.113.7", "Idempotency-Key: \(UUID().uuidString)", "X-Clover-Device-Id: \(device)",
            "X-POS-Id: till", "apikey: \(key ?? "")",
        ]
        var arguments = ["--disable", "--silent", "--include", "--globoff", "--path-as-is", "--request", method]
        arguments += headers.flatMap { ["--header", $0] }
        if let body { arguments += ["--data-binary", try await filled(body)] }
        let result = try await curl.run(arguments + [emulator.url + (try await filled(target))])
        let parts = result.outputText.replacing("\r\n", with: "\n").split(
            separator: "\n\n", maxSplits: 1, omittingEmptySubsequences: false)
        let head = parts[0].split(separator: "\n").map(String.init)
        let status = try #require(head.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) }, "\(result)")
        return Answer(status: status, headers: Array(head.dropFirst()), body: parts.count > 1 ? String(parts[1]) : "")
    }

    /// The text with the emulator's values in place of names in braces.
    private func filled(_ text: String) async throws -> String {
        var text = text
        while let match = text.firstMatch(of: #/\{([A-Za-z_]+)\}/#) {
            text.replaceSubrange(match.range, with: try await value(String(match.1)))
        }
        return text
    }

    private func value(_ name: String) async throws -> String {
        func id(_ answer: Answer) throws -> String { try #require(answer.json?["id"]?.string, "\(name): \(answer)") }
        switch name {
        case "mId": return emulator.merchantID
        case "appId": return emulator.appID
        case "appSecret": return emulator.appSecret
        case "code":
            let service = SignInService(emulator)
            let address = try await service.approvedAddress(challenge: nil)
            return try #require(URLComponents(string: address)?.queryItems?.first { $0.name == "code" }?.value)
        case "token":
            let card = ##"{"card":{"number":"4242424242424242","exp_month":"12","exp_year":"2031","cvv":"737"}}"##
            return try id(try await ask("POST", "/v1/tokens", card))
        case "spent":
            let token = try await value("token")
            _ = try await ask("POST", "/v1/charges", #"{"amount":500,"currency":"usd","source":"\#(token)"}"#)
            return token
        case "charge": return try id(try await ask("POST", "/v1/charges", EmulatorQuestion.charge + "}"))
        case "hold":
            return try id(try await ask("POST", "/v1/charges", EmulatorQuestion.charge + #","capture":false}"#))
        case "refund": return try id(try await ask("POST", "/v1/refunds", #"{"charge":"{charge}"}"#))
        case "chargedOrder":
            let charge = try await ask("GET", "/v1/charges/{charge}")
            return try #require(charge.json?["order"]?.string)
        case "device":
            let devices = try await ask("GET", "/v3/merchants/{mId}/devices?limit=1").json?["elements"]?.elements
            return try #require(devices?.first?["serial"]?.string)
        case "devicePayment":
            let answer = try await ask("POST", "/connect/v1/payments", EmulatorQuestion.sale)
            return try #require(answer.json?["payment"]?["id"]?.string, "\(answer)")
        default:
            let list = try await ask("GET", "/v3/merchants/{mId}/\(name)?limit=1").json?["elements"]?.elements
            return try #require(list?.first?["id"]?.string, "no \(name)")
        }
    }
}

/// The keys of a record with the types of their values; a key inside a list is that of every entry.
private struct KeyTypes {
    private var types: [String: Set<String>] = [:]

    private init(_ records: [JSONValue]) {
        for record in records { add(record, at: "") }
    }

    /// The keys that these records lack, or have with another type, and those that are never null in them.
    static func missing(of expected: [JSONValue], in shown: [JSONValue]) -> Set<String> {
        let own = KeyTypes(shown).types
        var parts: Set<String> = []
        for (key, types) in KeyTypes(expected).types {
            let found = own[key] ?? []
            if types.contains("null"), !found.contains("null") { parts.insert("\(key) null") }
            let types = types.subtracting(["null"])
            if !types.isEmpty, types.isDisjoint(with: found) { parts.insert(key) }
        }
        return parts
    }

    private mutating func add(_ value: JSONValue, at path: String) {
        switch value {
        case .null: types[path, default: []].insert("null")
        case .bool: types[path, default: []].insert("boolean")
        case .integer, .number: types[path, default: []].insert("number")
        case .string: types[path, default: []].insert("text")
        case .array(let values): for value in values { add(value, at: path) }
        case .object(let members):
            if !path.isEmpty { types[path, default: []].insert("object") }
            for (name, value) in members {
                // A webhook's merchants are keys.
                let isMerchant = path == "merchants" && value.elements != nil
                let next = name == "elements" || isMerchant ? path : path.isEmpty ? name : "\(path).\(name)"
                add(value, at: next)
            }
        }
    }
}

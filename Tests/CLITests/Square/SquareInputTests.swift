import CloverTestSupport
import Testing

@Suite("charge square request --input")
struct SquareInputTests {
    @Test("each line gets an output line, and 82 reports that some failed")
    func answers() async throws {
        try await Sandbox.run { sandbox in
            let lines = #"""
                {"id":1,"clientId":"a","amount":100,"currency":"USD","callbackUrl":"x://","tenders":["CASH"]}

                {"id":"b","clientId":"a","amount":0,"currency":"USD","callbackUrl":"x://","typo":1}
                {"id":{"c":3},"amount":1,"currency":"USD","callbackUrl":"x://"}
                {"id":4,"clientId":"a","amount":1,"currency":"USD","callbackUrl":"x://","notes":"\ud83d"}
                nonsense
                """#
            // A line takes nothing from outside.
            let result = try await sandbox.with(["CLOVER_SQUARE_CLIENT_ID": "outside"])
                .square("request", "--input", "-", input: .text(lines))
            #expect(result.status == 82, "\(result)")
            #expect(result.errorText.contains("line 3: unknown key 'typo'"), "\(result)")
            #expect(result.errorText.contains("4 of 5 requests could not be made"), "\(result)")
            let answers = try JSONValue.lines(result.lines)
            let identifiers: [JSONValue?] = [
                .integer(1), .string("b"), .object(["c": .integer(3)]), .integer(4), .null,
            ]
            try #require(answers.map { $0["id"] } == identifiers)
            #expect(answers.map { $0["ok"] } == [.bool(true), .bool(false), .bool(false), .bool(false), .bool(false)])
            #expect(answers[0].keys == ["data", "id", "ok", "url"])
            #expect(answers[1].keys == ["error", "id", "ok"])
            #expect(answers.dropFirst().map { $0["error"]?["number"]?.integer } == [5, 3, 7, 0])
            #expect(answers[1]["error"]?.keys == ["domain", "message", "name", "number", "remedy"])
            #expect(answers[1]["error"]?["name"]?.string == "SCCErrorCodeInvalidRequestAmount")
        }
    }

    @Test("a file of good lines ends with 0; a file that is not there with 74")
    func file() async throws {
        try await Sandbox.run { sandbox in
            let line = #"{"id":1,"clientId":"a","amount":100,"currency":"USD","callbackUrl":"x://"}"# + "\n"
            let file = try sandbox.directory.write("requests", line.utf8)
            expectSuccess(try await sandbox.square("request", "--input", file))
            expectFailure(try await sandbox.square("request", "--input", "absent"), status: 74, saying: "absent")
            expectFailure(
                try await sandbox.square("request", "--input", file, "--tender", "cash", "--skip-receipt"), status: 64,
                saying: "leave out --tender, --skip-receipt")
            // A directory can be opened, but not read.
            let directory = sandbox.directory.path
            expectFailure(
                try await sandbox.square("request", "--input", directory), status: 74,
                saying: "cannot read \(directory): Is a directory")
        }
    }

    @Test("a line is processed when it arrives, not when the next one does")
    func prompt() async throws {
        try await Sandbox.run { sandbox in
            let line = #"{"clientId":"a","amount":100,"currency":"USD","callbackUrl":"x://"}"#
            // The second line is valid only if the output for the first is already there.
            let result = try await sandbox.shell(
                """
                clover charge square request --input - >answers < <(
                    echo '\(line)'
                    for i in $(seq 300); do test -s answers && break; sleep 0.1; done
                    test -s answers && echo '\(line)' || echo nonsense)
                """)
            expectSuccess(result)
            #expect(try await sandbox.shell("wc -l <answers").outputText == "2\n")
        }
    }

    /// Writes requests of random texts; reads the output lines, writes the app's callbacks, and reads their results.
    /// Python's own URL and JSON routines are the judge.
    private static let program = #"""
        import json, random, sys, urllib.parse
        random.seed(8)
        pieces = list("%+&=?#/\\;:@\"'{}[]<> \t\n\r\0\x1b\x7f") + ["%41", "%zz", "\\u0041", "e\u0301", "é", "😀", "日本"]
        def text(): return "".join(random.choices(pieces, k=random.randrange(9)))
        def requests():
            for number in range(1000):
                row = {"id": number, "clientId": "a" + text(), "amount": random.randrange(1, 10**15),
                       "currency": random.choice(["USD", "CAD", "JPY", "AUD"]), "callbackUrl": "cafe://pay?x=%25",
                       "autoReturn": random.random() < .5}
                for name in ["state", "notes", "locationId", "customerId"]:
                    if random.random() < .7: row[name] = text()
                # Its own, so that its answer settles it.
                if "state" in row: row["state"] += "|%d" % number
                yield row
        step, profile, first, second = sys.argv[1:]
        rows = list(requests())
        if step == "requests":
            with open(first, "w", encoding="ascii") as file:
                for row in rows: print(json.dumps(row), file=file)
        elif step == "callbacks":
            with open(first, encoding="utf-8", newline="\n") as answers, open(second, "w", encoding="ascii") as file:
                for row, line in zip(rows, answers, strict=True):
                    answer = json.loads(line)
                    assert answer["ok"] is True and answer["id"] == row["id"], line
                    value = answer["url"].removeprefix("square-commerce-v1://payment/create?data=")
                    plain = urllib.parse.unquote(value, errors="strict")
                    assert urllib.parse.quote(plain, safe="") == value, value
                    data = json.loads(plain)
                    assert data == answer["data"]
                    place = "merchant_id" if profile == "register-2.1" else "location_id"
                    for name, key in [("clientId", "client_id"), ("state", "state"), ("notes", "notes"),
                                      ("locationId", place), ("customerId", "customer_id")]:
                        assert data.get(key, None) == row.get(name) and (key in data) == (name in row), (row, data)
                    assert data["amount_money"] == {"amount": row["amount"], "currency_code": row["currency"]}
                    assert data["options"]["auto_return"] is row["autoReturn"]
                    back = {"status": "ok", "transaction_id": "T%d" % row["id"]}
                    if "state" in data: back["state"] = data["state"]
                    print(data["callback_url"] + "&data=" + urllib.parse.quote(json.dumps(back)), file=file)
        else:
            with open(first, encoding="utf-8", newline="\n") as answers:
                for row, line in zip(rows, answers, strict=True):
                    answer = json.loads(line)
                    assert answer["ok"] is True and answer["success"] is True, line
                    assert answer["state"] == row.get("state") and answer["transactionId"] == "T%d" % row["id"], line
        """#

    @Test(
        "a thousand random requests go out and come back unchanged, judged by Python",
        arguments: ["pos-3.5.4", "register-2.1"])
    func roundTrips(sdk: String) async throws {
        try await Sandbox.run { sandbox in
            func python(_ step: String, _ first: String, _ second: String = "-") async throws {
                var python = CommandRunner(executable: "/usr/bin/python3", environment: ["LANG": "C.UTF-8"])
                python.directory = sandbox.directory.path
                let result = try await python.run(["-I", "-c", Self.program, step, sdk, first, second])
                try #require(result.status == 0, "\(result)")
            }
            try await python("requests", "requests")
            expectSuccess(
                try await sandbox.shell("clover charge square request --sdk \(sdk) --input requests >answers"))
            try await python("callbacks", "answers", "callbacks")
            let read = try await sandbox.shell("clover charge square response --sdk \(sdk) <callbacks >outcomes")
            // Those without a state settle nothing.
            let notices = read.errorText.split(separator: "\n")
            #expect(read.status == 80 && notices.first?.hasSuffix("--charge ID URL") == true, "\(read)")
            #expect(notices.count == 3 && notices[1].contains("match no single open request"), "\(read)")
            try await python("outcomes", "outcomes")
            // Each is in the journal, and each response with a state has settled its own request.
            let rows = try JSONValue.lines(try await sandbox.clover("charge", "list", "--limit", "2000").lines)
            #expect(rows.count == 1000)
            for row in rows {
                let number = row["externalId"]?.string?.split(separator: "|").last.map(String.init)
                #expect(row["state"]?.string == (number == nil ? "sent" : "approved"))
                #expect(row["payment"]?.string == number.map { "T\($0)" })
            }
        }
    }
}

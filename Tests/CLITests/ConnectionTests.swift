import CloverTestSupport
import Testing

@Suite("get: connections")
struct ConnectionTests {
    @Test("a refused connection ends with 69 and names the address")
    func refused() async throws {
        try await Sandbox.run { sandbox in
            let port = try LoopbackServer { _, _ in .reset }.port
            // The server is gone again, and its port with it.
            let result = try await sandbox.using("http://127.0.0.1:\(port)").clover("get", "orders")
            expectFailure(result, status: 69, saying: "127.0.0.1:\(port)")
        }
    }

    @Test("an unknown host ends with 69 and names it")
    func unknownHost() async throws {
        try await Sandbox.run { sandbox in
            let result = try await sandbox.using("https://nonexistent.invalid").clover("get", "orders")
            expectFailure(result, status: 69, saying: "nonexistent.invalid")
        }
    }

    @Test("without a usable libcurl a request ends with 69 and says what to install; what sends nothing works")
    func libraryMissing() async throws {
        try await Sandbox.run(server: { _, _ in .page([]) }) { sandbox, server in
            // Found before Debian's, and no library.
            _ = try sandbox.directory.write("libcurl.so.4", "junk".utf8)
            let without = sandbox.with(["LD_LIBRARY_PATH": sandbox.directory.path])
            let get = try await without.clover("get", "orders", "--jq", ".id")
            expectFailure(get, status: 69, saying: "libcurl cannot be used", "libcurl.so.4", "apt-get install libcurl4")
            let post = try await without.clover("post", "items", "--field", "name=x", "--json")
            #expect(post.status == 69)
            #expect(post.errorText.contains(#""code":"library_missing""#), "\(post)")
            #expect(server.requests.isEmpty)
            #expect(try await without.clover("get", "orders", "--dry-run").status == 0)
            expectSuccess(try await without.clover("--version"))
        }
    }

    @Test("an untrusted certificate ends with 69 and sends nothing; --cacert trusts it")
    func certificate() async throws {
        let list = ServedList(records: Record.orders(5))
        try await Sandbox.run(server: { request, _ in list.answer(to: request) }) { sandbox, server in
            let relay = try await TLSRelay(to: server.port, in: sandbox.directory)
            let secure = sandbox.using(relay.url)
            expectFailure(try await secure.clover("get", "orders"), status: 69, saying: "certificate")
            #expect(server.requests.isEmpty)
            let trusted = try await secure.clover("get", "orders", "--cacert", relay.certificate)
            expectSuccess(trusted)
            #expect(trusted.outputText == list.lines)
            let byVariable = try await secure.with(["CLOVER_CA_BUNDLE": relay.certificate]).clover("get", "orders")
            expectSuccess(byVariable)
            // The certificate is for 127.0.0.1, so another name of the same machine is not it.
            let renamed = sandbox.using(relay.url.replacing("127.0.0.1", with: "localhost"))
            expectFailure(
                try await renamed.clover("get", "orders", "--cacert", relay.certificate), status: 69,
                saying: "localhost")
        }
    }

    @Test("https to a server that speaks plain http ends with 69")
    func notTLS() async throws {
        try await Sandbox.run(server: { _, _ in .page([]) }, weight: 0) { sandbox, server in
            let result = try await sandbox.using("https://127.0.0.1:\(server.port)").clover(
                "get", "orders", "--retry", "1")
            expectFailure(result, status: 69)
        }
    }

    @Test("a --cacert file that cannot be used is named")
    func badCertificateFile() async throws {
        try await Sandbox.run(server: { _, _ in .page([]) }) { sandbox, server in
            let secure = sandbox.using("https://127.0.0.1:\(server.port)")
            for path in [sandbox.directory["missing.pem"], try sandbox.directory.write("empty.pem", "junk".utf8)] {
                let result = try await secure.clover("get", "orders", "--cacert", path)
                #expect(result.status >= 64, "\(result)")
                #expect(result.errorText.contains(path), "\(result)")
            }
        }
    }

    @Test("a peer that does not speak HTTP ends with 69 or 76")
    func notHTTP() async throws {
        try await Sandbox.run(server: { _, _ in LoopbackResponse(bytes: Array("SSH-2.0-x\r\n".utf8), ending: .close) })
        {
            sandbox, _ in
            let result = try await sandbox.clover("get", "orders", "--retry", "0")
            #expect([69, 76].contains(result.status), "\(result)")
            #expect(result.errorText.hasPrefix("clover: "))
        }
    }

    @Test("a response head that is too large ends with 76 and says so", arguments: [(1, 50 << 20), (5000, 1000)])
    func largeHead(lines: Int, length: Int) async throws {
        let field = Array("X-Filler: ".utf8) + [UInt8](repeating: UInt8(ascii: "a"), count: length) + Array("\r\n".utf8)
        let head = Array("HTTP/1.1 200 OK\r\n".utf8) + (0..<lines).flatMap { _ in field }
        let answer = LoopbackResponse(bytes: head + Array("Content-Length: 2\r\n\r\n{}".utf8), ending: .close)
        try await Sandbox.run(server: { _, _ in answer }) { sandbox, server in
            let read = try await sandbox.clover("get", "orders")
            expectFailure(
                read, status: 76, saying: "the head of the response from 127.0.0.1", "larger than libcurl accepts")
            #expect(server.requests.count == 1)
            let written = try await sandbox.clover("post", "items", "-F", "name=x")
            expectFailure(written, status: 76, saying: "outcome unknown", "larger than libcurl accepts")
        }
    }

    @Test(
        "a redirect on the same host is followed, with the token",
        arguments: ["301 Moved Permanently", "307 Temporary Redirect"])
    func redirectAtHome(_ status: String) async throws {
        try await Sandbox.run(server: { request, _ in
            request.path.hasSuffix("/moved") ? .page(Record.orders(1)) : .redirect(to: "/moved", status: status)
        }) { sandbox, server in
            let result = try await sandbox.clover("get", "orders")
            expectSuccess(result)
            #expect(result.lines == Record.orders(1))
            #expect(server.requests.allSatisfy { $0.header("Authorization") == "Bearer \(Sandbox.token)" })
        }
    }

    @Test("a redirect to another host or port is not followed with the token", arguments: ["127.0.0.1", "127.0.0.2"])
    func redirectAway(_ host: String) async throws {
        try await Sandbox.run { sandbox in
            let away = try LoopbackServer(host: host) { _, _ in .page(Record.orders(1)) }
            let home = try LoopbackServer { request, _ in .redirect(to: away.url + request.target) }
            let result = try await sandbox.using(home.url).clover("get", "orders")
            #expect(result.status >= 64, "\(result)")
            #expect(result.errorText.contains("redirect"), "\(result)")
            #expect(result.output == [])
            #expect(away.requests.allSatisfy { $0.header("Authorization") == nil })
            expectNoSecret(result)
        }
    }

    @Test("a redirect in a circle ends")
    func redirectInCircle() async throws {
        try await Sandbox.run(server: { request, _ in .redirect(to: request.target) }) { sandbox, server in
            let result = try await sandbox.clover("get", "orders")
            #expect(result.status >= 64, "\(result)")
            #expect(server.requests.count <= 20)
        }
    }

    @Test("https goes through https_proxy, which sees no token")
    func proxy() async throws {
        try await Sandbox.run { sandbox in
            let proxy = try LoopbackServer { _, _ in LoopbackResponse(status: "502 Bad Gateway", "", ending: .close) }
            let proxied = sandbox.using("https://service.invalid").with(["https_proxy": proxy.url])
            let result = try await proxied.clover("get", "orders", "--retry", "0")
            #expect(result.status == 69, "\(result)")
            #expect(proxy.requests.first?.method == "CONNECT")
            #expect(proxy.requests.first?.target == "service.invalid:443")
            #expect(proxy.requests.allSatisfy { $0.header("Authorization") == nil })
        }
    }

    @Test("a proxy with a password is used, although no jq program sees it", arguments: ["https_proxy", "ALL_PROXY"])
    func proxyWithPassword(_ name: String) async throws {
        try await Sandbox.run { sandbox in
            let proxy = try LoopbackServer { _, _ in LoopbackResponse(status: "502 Bad Gateway", "", ending: .close) }
            let address = proxy.url.replacing("http://", with: "http://me:hush@")
            let proxied = sandbox.using("https://service.invalid").with([name: address])
            #expect(try await proxied.clover("get", "orders", "--retry", "0").status == 69)
            // Base64 of me:hush.
            #expect(proxy.requests.first?.header("Proxy-Authorization") == "Basic bWU6aHVzaA==")
            let count = proxy.requests.count
            let direct = try await proxied.with(["no_proxy": "service.invalid"]).clover("get", "orders", "--retry", "0")
            #expect(direct.status == 69, "\(direct)")
            #expect(proxy.requests.count == count)
        }
    }

    @Test("plain http to this machine goes through no proxy, which would see the token")
    func plainHTTPTakesNoProxy() async throws {
        try await Sandbox.run(server: { _, _ in .page(Record.orders(1)) }) { sandbox, server in
            let proxy = try LoopbackServer { _, _ in .page(Record.orders(7)) }
            for name in ["http_proxy", "all_proxy", "ALL_PROXY"] {
                let result = try await sandbox.with([name: proxy.url]).clover(
                    "get", "orders", "--limit", "1")
                expectSuccess(result)
                #expect(result.lines.count == 1)
            }
            #expect(proxy.requests.isEmpty)
            #expect(server.requests.count == 3)
        }
    }

    @Test("no_proxy keeps addresses from the proxy")
    func noProxy() async throws {
        try await Sandbox.run(server: { _, _ in .page(Record.orders(1)) }) { sandbox, server in
            let relay = try await TLSRelay(to: server.port, in: sandbox.directory)
            let proxy = try LoopbackServer { _, _ in .reset }
            let direct = sandbox.using(relay.url).with(["https_proxy": proxy.url, "no_proxy": "127.0.0.1"])
            expectSuccess(try await direct.clover("get", "orders", "--cacert", relay.certificate))
            #expect(proxy.requests.isEmpty)
        }
    }

    @Test("--max-time ends a run that hangs with 83, whether before or in the middle of a body")
    func maximumTime() async throws {
        let answers = [
            LoopbackResponse(bytes: [], ending: .hold),
            LoopbackResponse(body: #"{"elements":[\#(Record.order(1)),"#.utf8, declaredLength: 9999, ending: .hold),
        ]
        for answer in answers {
            try await Sandbox.run(server: { _, _ in answer }) { sandbox, _ in
                for options in [[], ["--jq", "."], ["--slurp", "--jq", "length"]] {
                    let result = try await sandbox.clover(["get", "orders", "--max-time", "1"] + options)
                    expectFailure(result, status: 83, saying: "1", output: nil)
                    #expect(result.endsWithWholeLine)
                }
            }
        }
    }

    @Test(
        "a head without bounds ends the run with 76",
        arguments: [(200_000, 1), (1, 200_000)])
    func largeHead(_ length: Int, _ count: Int) async throws {
        let line = "X-Long: \(String(repeating: "x", count: length))\r\n"
        let head = Array(("HTTP/1.1 200 OK\r\n" + String(repeating: line, count: count)).utf8)
        try await Sandbox.run(server: { _, _ in LoopbackResponse(bytes: head, ending: .hold) }) { sandbox, _ in
            expectFailure(
                try await sandbox.clover("get", "orders"), status: 76, saying: "is larger than libcurl accepts")
        }
    }

    @Test(
        "--max-time ends a run whose jq program does not, and says 83",
        arguments: [
            ["--jq", "def f: f; f"], ["--jq", "last(range(1e15))"], ["--slurp", "--jq", "last(range(1e15))"],
        ])
    func maximumTimeOverPrograms(_ options: [String]) async throws {
        try await Sandbox.run(server: { _, _ in .page(Record.orders(3)) }) { sandbox, _ in
            let result = try await sandbox.clover(["get", "orders", "--max-time", "1"] + options)
            expectFailure(result, status: 83, saying: "--max-time")
        }
    }

    @Test("a jq program sees no secret of the environment", arguments: ["env", "$ENV"])
    func secretsOfPrograms(_ source: String) async throws {
        try await Sandbox.run(server: { _, _ in .page(Record.orders(1)) }) { sandbox, _ in
            let secrets = [
                "CLOVER_ACCESS_TOKEN": "a-secret", "CLOVER_APP_SECRET": "a-secret", "AWS_SECRET_ACCESS_KEY": "a-secret",
                "AWS_SESSION_TOKEN": "a-secret", "PGPASSWORD": "a-secret", "SHOP_API_KEY": "a-secret",
                "https_proxy": "http://me:a-secret@127.0.0.1:1", "HTTP_PROXY": "me:a-secret@127.0.0.1:1",
                "ALL_PROXY": "socks5h://me:a-secret@127.0.0.1:1", "DATABASE_URL": "postgresql://me:a-secret@db/shop",
                "DATABASE": "host=db password=a-secret",
            ]
            let found = (["PATH", "SHOP_PROXY"] + secrets.keys.sorted()).map { "has(\"\($0)\")" }
            let result = try await sandbox.with(secrets).with(["SHOP_PROXY": "http://127.0.0.1:1"]).clover(
                "get", "orders", "--jq", "\(source) | [\(found.joined(separator: ","))], any(contains(\"a-secret\"))")
            expectSuccess(result)
            let none = secrets.map { _ in "false" }.joined(separator: ",")
            #expect(result.lines == ["[true,true,\(none)]", "false"])
        }
    }

    @Test("--max-time also ends the waiting for retries", arguments: ["1", "1s", "0.5s"])
    func maximumTimeOverRetries(_ time: String) async throws {
        try await Sandbox.run(server: { _, _ in
            LoopbackResponse(status: "429 Too Many Requests", headers: ["Retry-After: 600"], body: [])
        }) { sandbox, server in
            expectFailure(try await sandbox.clover("get", "orders", "--max-time", time), status: 83)
            #expect(server.requests.count == 1)
        }
    }

    @Test("the token is not among the arguments that other users can see")
    func noSecretInArguments() async throws {
        try await Sandbox.run(server: { _, _ in LoopbackResponse(bytes: [], ending: .hold) }) { sandbox, server in
            expectSignedIn(try await sandbox.signIn(environment: server.url))
            let command = try sandbox.without("CLOVER_ACCESS_TOKEN", "CLOVER_MERCHANT_ID").start("get", "orders", "-v")
            try await server.waitForRequests(1)
            let seen = try await CommandRunner(executable: "/bin/cat", environment: [:]).run([
                "/proc/\(command.pid)/cmdline", "/proc/\(command.pid)/comm", "/proc/\(command.pid)/environ",
            ])
            #expect(seen.status == 0)
            #expect(seen.outputText.contains("orders"))
            expectNoSecret(seen)
            #expect(server.requests.first?.header("Authorization") == "Bearer \(Sandbox.token)")
            command.send(15)
            expectNoSecret(try await command.result())
        }
    }
}

import CloverTestSupport
import Synchronization
import Testing

@Suite("get: what is known of a list's length")
struct ListLengthTests {
    /// A list that a test can change, and whose responses it can hold back.
    private final class Shop: Sendable {
        private let state = Mutex((list: ServedList(records: []), isHolding: false))

        init(_ count: Int) {
            stock(count)
        }

        func stock(_ count: Int) {
            state.withLock { $0.list = ServedList(records: Record.orders(count)) }
        }

        func hold() {
            state.withLock { $0.isHolding = true }
        }

        var lines: String { state.withLock(\.list.lines) }

        func answer(_ request: LoopbackRequest) -> LoopbackResponse {
            state.withLock { $0.isHolding ? LoopbackResponse(bytes: [], ending: .hold) : $0.list.answer(to: request) }
        }
    }

    @Test("requests the pages of a known multi-page list concurrently the next time, before the first response")
    func remembered() async throws {
        // Four pages, which overlap by one record.
        let shop = Shop(3500)
        try await Sandbox.run(server: { request, _ in shop.answer(request) }) { sandbox, server in
            let first = try await sandbox.clover("get", "items", "--all")
            expectSuccess(first)
            #expect(first.outputText == shop.lines)
            let again = try await sandbox.clover("get", "items", "--all")
            expectSuccess(again)
            #expect(again.outputText == shop.lines)
            shop.hold()
            let before = server.requests.count
            let command = try sandbox.start("get", "items", "--all")
            try await server.waitForRequests(before + 4)
            let asked = server.requests[before...].map { $0.values(of: "offset").first ?? "0" }
            #expect(asked.sorted() == ["0", "1998", "2997", "999"])
            command.send(15)
            _ = try await command.result()
        }
    }

    @Test("a list that fits on one page costs two requests, however often it is read, and leaves nothing behind")
    func onePage() async throws {
        let shop = Shop(7)
        try await Sandbox.run(server: { request, _ in shop.answer(request) }) { sandbox, server in
            for run in 1...3 {
                let result = try await sandbox.clover("get", "orders", "--all")
                expectSuccess(result)
                #expect(result.outputText == shop.lines)
                #expect(server.requests.count == 2 * run)
            }
            #expect(!sandbox.directory.files(below: "state").contains { $0.contains("list-lengths") })
        }
    }

    @Test("what is remembered wrongly costs requests and no record", arguments: [0, 1, 7, 1000, 1500, 9000])
    func wrong(count: Int) async throws {
        let shop = Shop(4500)
        try await Sandbox.run(server: { request, _ in shop.answer(request) }) { sandbox, server in
            expectSuccess(try await sandbox.clover("get", "orders", "--all"))
            shop.stock(count)
            for _ in 0..<2 {
                let result = try await sandbox.clover("get", "orders", "--all")
                expectSuccess(result)
                #expect(result.outputText == shop.lines)
            }
            guard count < 1000 else { return }
            // By now it is known to be short.
            let before = server.requests.count
            expectSuccess(try await sandbox.clover("get", "orders", "--all"))
            #expect(server.requests.count - before <= 2)
        }
    }

    @Test("stored lengths reveal nothing about a list, and their files do not grow in number")
    func secrecy() async throws {
        let shop = Shop(1200)
        try await Sandbox.run(server: { request, _ in shop.answer(request) }) { sandbox, _ in
            for filter in ["customer.id=SECRETNAME", "customer.id=OTHERNAME"] {
                expectSuccess(try await sandbox.clover("get", "items", "--all", "--no-check", "--filter", filter))
            }
            let files = sandbox.directory.files(below: "state/list-lengths")
            let names = files.compactMap { $0.split(separator: "/").last.map(String.init) }
            #expect(names.contains("lock"))
            #expect(names.allSatisfy { $0 == "lock" || $0.wholeMatch(of: /[0-9a-f]{2}/) != nil }, "\(names)")
            for (path, name) in zip(files, names) where name != "lock" {
                let text = String(decoding: try sandbox.directory.read(path), as: UTF8.self)
                #expect(text.wholeMatch(of: /[0-9a-f]{32} [2-9]\n/) != nil, "\(text)")
            }
        }
    }

    @Test("what is damaged, or cannot be kept, is no matter", arguments: [false, true])
    func unusable(isFolderTaken: Bool) async throws {
        let shop = Shop(2500)
        try await Sandbox.run(server: { request, _ in shop.answer(request) }) { sandbox, _ in
            if isFolderTaken {
                _ = try sandbox.directory.makeFolder("state")
                try sandbox.directory.write("state/list-lengths", "not a folder".utf8)
            }
            for damage in ["", "0123456789abcdef0123456789abcdef 5\n", "9", "x 99999999999999999999\n"] {
                if !isFolderTaken {
                    for file in sandbox.directory.files(below: "state/list-lengths") where !file.hasSuffix("lock") {
                        try sandbox.directory.write(file, damage.utf8)
                    }
                }
                let result = try await sandbox.clover("get", "items", "--all")
                expectSuccess(result)
                #expect(result.outputText == shop.lines)
                #expect(result.errorText == "")
            }
        }
    }
}

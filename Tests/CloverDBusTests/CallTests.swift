import BusTestSupport
import CloverDBus
import CloverTestSupport
import Glibc
import Testing

/// Method calls over a real bus to a service that another library serves.
@Suite(.timeLimit(.minutes(10)))
struct CallTests {
    static let values: [DBusValue] = [
        .byte(0), .byte(255), .bool(true), .bool(false), .int16(.min), .uint16(.max), .int32(.min), .uint32(.max),
        .int64(.min), .uint64(.max), .double(-0.1), .double(.infinity), .string(""), .string("naïve \u{1F511}\n\u{7F}"),
        .objectPath("/"), .objectPath("/org/example/a_1"), .signature(""), .signature("a{sv}(ii)"),
        .bytes([]), .bytes([0, 1, 127, 128, 255]), .bytes([UInt8](repeating: 7, count: 1 << 20)),
        .array(of: "s", []), .array(of: "s", [.string("a"), .string("b")]),
        .array(of: "as", [.array(of: "s", []), .array(of: "s", [.string("x")])]),
        .array(of: "(ib)", [.structure([.int32(1), .bool(true)])]),
        .dictionary(key: "s", value: "i", []),
        .dictionary(key: "y", value: "as", [.init(key: .byte(3), value: .array(of: "s", [.string("three")]))]),
        .strings(["b": "2", "a": "1"]), .variants(["n": .int32(5), "path": .objectPath("/x"), "raw": .bytes([9])]),
        .structure([.string("a"), .structure([.uint64(1), .bytes([2])]), .variant(.bool(true))]),
        .variant(.variant(.string("inner"))), .variant(.array(of: "v", [.variant(.byte(1)), .variant(.string("s"))])),
    ]

    @Test func `every type of value reaches a service of another library and comes back the same`() async throws {
        let echo = try await EchoService()
        for value in Self.values {
            let answer = try await echo.call("Echo", [value])
            #expect(answer == [value], "\(value.signature)")
        }
        #expect(try await echo.call("Echo", Self.values) == Self.values)
        #expect(try await echo.call("Echo", []) == [])
    }

    @Test func `calls under way at the same time each get their own answer`() async throws {
        let echo = try await EchoService()
        let answers = try await withThrowingTaskGroup(of: (UInt32, [DBusValue]).self) { group in
            for number in 0..<100 as Range<UInt32> {
                group.addTask { (number, try await echo.call("Echo", [.uint32(number)])) }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        #expect(answers.count == 100)
        for (number, answer) in answers { #expect(answer == [.uint32(number)]) }
    }

    @Test func `an error reply keeps its name and its text apart`() async throws {
        let echo = try await EchoService()
        await #expect(throws: DBusError.reply(name: "org.example.Error.Full", text: "no room: 3 of 3")) {
            try await echo.call("Fail", [.string("org.example.Error.Full"), .string("no room: 3 of 3")])
        }
    }

    @Test(arguments: [
        ("ServiceUnknown", DBusError.serviceUnknown(EchoService.name)),
        ("NameHasNoOwner", .serviceUnknown(EchoService.name)),
        ("AccessDenied", .accessDenied(detail: "why")),
        ("InteractiveAuthorizationRequired", .accessDenied(detail: "why")),
        ("NoReply", .abandoned(service: EchoService.name)),
        ("Spawn.ExecFailed", .serviceNotStarted(EchoService.name, name: "org.freedesktop.DBus.Error.Spawn.ExecFailed")),
        ("TimedOut", .serviceNotStarted(EchoService.name, name: "org.freedesktop.DBus.Error.TimedOut")),
        ("UnknownMethod", .reply(name: "org.freedesktop.DBus.Error.UnknownMethod", text: "why")),
    ])
    func `a standard error name becomes its own case`(name: String, expected: DBusError) async throws {
        let echo = try await EchoService()
        await #expect(throws: expected) {
            try await echo.call("Fail", [.string("org.freedesktop.DBus.Error.\(name)"), .string("why")])
        }
    }

    @Test func `a bus name without an owner is an unknown service`() async throws {
        let server = try await PrivateBus()
        let bus = try await Bus.open(server.address)
        await #expect(throws: DBusError.serviceUnknown("org.example.Absent")) {
            try await bus.call(destination: "org.example.Absent", path: "/", interface: "org.example.I", member: "M")
        }
    }

    @Test func `a call that the policy of the bus forbids is access denied`() async throws {
        let server = try await PrivateBus(
            policy: """
                <policy context="default"><allow own="*"/><allow send_destination="*"/><allow receive_sender="*"/>\
                <deny send_interface="org.example.Forbidden"/></policy>
                """)
        let bus = try await Bus.open(server.address)
        let error = await #expect(throws: DBusError.self) {
            try await bus.call(
                destination: "org.freedesktop.DBus", path: "/", interface: "org.example.Forbidden", member: "M")
        }
        guard case .accessDenied = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `a call that is not answered ends at its own limit, and the connection goes on`() async throws {
        let echo = try await EchoService()
        await #expect(throws: DBusError.timedOut(member: "Mute", seconds: 0.05)) {
            try await echo.call("Mute", within: .milliseconds(50))
        }
        #expect(try await echo.call("Echo", [.byte(1)]) == [.byte(1)])
    }

    @Test func `a call ends at the limit for several calls together when that is earlier`() async throws {
        let echo = try await EchoService()
        let deadline = Deadline(after: .milliseconds(100))
        await #expect(throws: DBusError.timedOut(member: "Mute", seconds: 0.1)) {
            try await echo.call("Mute", within: .seconds(3600), until: deadline)
        }
        await #expect(throws: DBusError.timedOut(member: "Mute", seconds: 0.1)) {
            try await echo.call("Mute", within: .seconds(3600), until: deadline)
        }
    }

    @Test func `a cancelled task hears so, and the connection goes on`() async throws {
        let echo = try await EchoService()
        let task = Task { try await echo.call("Mute", within: .seconds(3600)) }
        try await echo.waitForCall("Mute")
        task.cancel()
        await #expect(throws: DBusError.cancelled) { try await task.value }
        #expect(try await echo.call("Echo", [.byte(1)]) == [.byte(1)])
    }

    @Test func `a service that dies with a call unanswered has abandoned it`() async throws {
        let echo = try await EchoService()
        await #expect(throws: DBusError.abandoned(service: EchoService.name)) {
            try await echo.call("Die", within: .seconds(3600))
        }
    }

    @Test func `a bus that dies ends every call, and later ones at once`() async throws {
        let echo = try await EchoService()
        let task = Task { try await echo.call("Mute", within: .seconds(3600)) }
        try await echo.waitForCall("Mute")
        echo.server.kill()
        await #expect(throws: DBusError.disconnected) { try await task.value }
        await #expect(throws: DBusError.disconnected) { try await echo.call("Echo", within: .seconds(3600)) }
    }

    @Test func `closing ends calls under way`() async throws {
        let echo = try await EchoService()
        let task = Task { try await echo.call("Mute", within: .seconds(3600)) }
        try await echo.waitForCall("Mute")
        echo.bus.close()
        await #expect(throws: DBusError.disconnected) { try await task.value }
    }

    @Test(arguments: [
        DBusValue.string("a\0b"), .objectPath("not a path"), .objectPath(""), .signature("zz"), .structure([]),
        .array(of: "s", [.int32(1)]), .array(of: "", []), .dictionary(key: "v", value: "s", []),
    ])
    func `a value that no message can carry is refused, and the connection goes on`(value: DBusValue) async throws {
        let echo = try await EchoService()
        let error = await #expect(throws: DBusError.self) { try await echo.call("Echo", [value]) }
        guard case .notSendable(member: "Echo", _) = error else {
            Issue.record("\(value.signature): \(String(describing: error))")
            return
        }
        #expect(try await echo.call("Echo", [.byte(1)]) == [.byte(1)])
    }

    @Test func `a message to an impossible name is refused`() async throws {
        let server = try await PrivateBus()
        let bus = try await Bus.open(server.address)
        await #expect(throws: DBusError.notSendable(member: "M", errno: EINVAL)) {
            try await bus.call(destination: "no name", path: "/", interface: "org.example.I", member: "M")
        }
    }

    @Test func `a value prints its type and not what is in it`() {
        let value = DBusValue.variants(["password": .string("hush-hush"), "raw": .bytes(Array("hush-hush".utf8))])
        var dumped = ""
        dump([value], to: &dumped)
        for text in ["\(value)", String(reflecting: value), "\([value])", dumped] {
            #expect(!text.contains("hush"))
            #expect(!text.contains("104"))
        }
    }
}

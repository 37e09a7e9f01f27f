import BusTestSupport
import CloverDBus
import CloverTestSupport
import Glibc
import Testing

/// Signals over a real bus.
@Suite(.timeLimit(.minutes(10)))
struct SignalTests {
    private static let rule = MatchRule(
        sender: EchoService.name, path: EchoService.path, interface: EchoService.name, member: "Tick")

    private static func numbers(
        _ stream: AsyncThrowingStream<DBusSignal, any Error>, _ count: Int
    ) async throws -> [Int64] {
        var numbers: [Int64] = []
        for try await signal in stream {
            numbers.append(signal.arguments.first?.integer ?? -1)
            if numbers.count == count { break }
        }
        return numbers
    }

    @Test func `a subscriber hears what is sent after it subscribed, in order`() async throws {
        let echo = try await EchoService()
        let stream = try await echo.bus.signals(matching: Self.rule)
        _ = try await echo.call("Emit", [.string("Tick"), .uint32(1000)])
        #expect(try await Self.numbers(stream, 1000) == Array(0..<1000))
    }

    @Test func `a signal says where it comes from`() async throws {
        let echo = try await EchoService()
        let stream = try await echo.bus.signals(matching: MatchRule(interface: EchoService.name))
        _ = try await echo.call("Emit", [.string("Tick"), .uint32(1)])
        let first = try await stream.first { _ in true }
        let signal = try #require(first)
        let owner = try await echo.bus.call(
            destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
            member: "GetNameOwner", arguments: [.string(EchoService.name)])
        #expect(
            signal
                == DBusSignal(
                    sender: try #require(owner.first?.text), path: EchoService.path, interface: EchoService.name,
                    member: "Tick", arguments: [.uint32(0)]))
    }

    @Test func `each subscriber hears all that matches its own rule, and nothing else`() async throws {
        let echo = try await EchoService()
        let tick = try await echo.bus.signals(matching: Self.rule)
        let again = try await echo.bus.signals(matching: Self.rule)
        let tock = try await echo.bus.signals(matching: MatchRule(pathNamespace: "/org/example", member: "Tock"))
        _ = try await echo.call("Emit", [.string("Tick"), .uint32(3)])
        _ = try await echo.call("Emit", [.string("Tock"), .uint32(2)])
        _ = try await echo.call("Emit", [.string("Tick"), .uint32(1)])
        #expect(try await Self.numbers(tick, 4) == [0, 1, 2, 0])
        #expect(try await Self.numbers(again, 4) == [0, 1, 2, 0])
        #expect(try await Self.numbers(tock, 2) == [0, 1])
    }

    @Test func `several rules in one stream keep the order in which signals came`() async throws {
        let echo = try await EchoService()
        let stream = try await echo.bus.signals(matchingAny: [
            MatchRule(interface: EchoService.name, member: "Tock"), Self.rule,
        ])
        for member in ["Tick", "Tock", "Other", "Tock", "Tick"] {
            _ = try await echo.call("Emit", [.string(member), .uint32(1)])
        }
        var heard: [String] = []
        for try await signal in stream {
            heard.append(signal.member)
            if heard.count == 4 { break }
        }
        #expect(heard == ["Tick", "Tock", "Tock", "Tick"])
    }

    @Test func `a bad rule among several refuses them all`() async throws {
        let echo = try await EchoService()
        let error = await #expect(throws: DBusError.self) {
            try await echo.bus.signals(matchingAny: [Self.rule, MatchRule(interface: "not an interface")])
        }
        guard case .reply(name: "org.freedesktop.DBus.Error.MatchRuleInvalid", _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `the first argument narrows a rule`() async throws {
        let server = try await PrivateBus()
        let bus = try await Bus.open(server.address)
        let owners = try await bus.signals(
            matching: MatchRule(
                sender: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
                member: "NameOwnerChanged", firstArgument: "org.example.Second"))
        for name in ["org.example.First", "org.example.Second"] {
            _ = try await bus.call(
                destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
                member: "RequestName", arguments: [.string(name), .uint32(0)])
        }
        let first = try await owners.first { _ in true }
        #expect(first?.arguments.map(\.text) == ["org.example.Second", "", try await server.connections(bus).first])
    }

    @Test func `a consumer that is too slow gets signalsLost, and calls still work`() async throws {
        let echo = try await EchoService()
        let stream = try await echo.bus.signals(matching: Self.rule)
        let count = Bus.signalsKept + 1
        _ = try await echo.call("Emit", [.string("Tick"), .uint32(UInt32(count))])
        var heard = 0
        await #expect(throws: DBusError.signalsLost) {
            for try await _ in stream { heard += 1 }
        }
        #expect(heard == Bus.signalsKept)
        #expect(try await echo.call("Echo", [.byte(1)]) == [.byte(1)])
    }

    @Test func `a stream ends with the connection`() async throws {
        let echo = try await EchoService()
        let stream = try await echo.bus.signals(matching: Self.rule)
        echo.server.kill()
        await #expect(throws: DBusError.disconnected) {
            for try await _ in stream {}
        }
        await #expect(throws: DBusError.disconnected) { try await echo.bus.signals(matching: Self.rule) }
    }

    @Test func `a stream keeps its connection open, and lets it go with its reader`() async throws {
        let echo = try await EchoService()
        var stream: AsyncThrowingStream<DBusSignal, any Error>? = try await Bus.open(echo.server.address).signals(
            matching: Self.rule)
        _ = try await echo.call("Emit", [.string("Tick"), .uint32(2)])
        #expect(try await Self.numbers(try #require(stream), 2) == [0, 1])
        #expect(try await echo.server.connections(echo.bus).count == 3)
        stream = nil
        #expect(try await eventually { try await echo.server.connections(echo.bus).count == 2 })
    }

    @Test(arguments: [
        MatchRule(sender: "it's"), MatchRule(path: "/a'"), MatchRule(firstArgument: #"a\b"#),
        MatchRule(member: "a\0b"),
    ])
    func `a rule that cannot be written is refused`(rule: MatchRule) async throws {
        let server = try await PrivateBus()
        let bus = try await Bus.open(server.address)
        let error = await #expect(throws: DBusError.self) { try await bus.signals(matching: rule) }
        guard case .notSendable(member: "AddMatch", _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test(arguments: [MatchRule(interface: "not an interface"), MatchRule(path: "no path")])
    func `a rule that the bus refuses is its error reply`(rule: MatchRule) async throws {
        let server = try await PrivateBus()
        let bus = try await Bus.open(server.address)
        let error = await #expect(throws: DBusError.self) { try await bus.signals(matching: rule) }
        guard case .reply(name: "org.freedesktop.DBus.Error.MatchRuleInvalid", _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `what BlueZ does can be followed: objects that come, their properties, and changes`() async throws {
        let server = try await PrivateBus()
        let mock = try server.runner("/usr/bin/python3").start(["-m", "dbusmock", "--system", "-t", "bluez5"])
        let bus = try await Bus.open(server.address)
        let hasName = try await eventually {
            try await bus.call(
                destination: "org.freedesktop.DBus", path: "/", interface: "org.freedesktop.DBus",
                member: "NameHasOwner", arguments: [.string("org.bluez")]) == [.bool(true)]
        }
        try #require(hasName, "\(mock.errorsSoFar)")
        let added = try await bus.signals(
            matching: MatchRule(
                sender: "org.bluez", interface: "org.freedesktop.DBus.ObjectManager", member: "InterfacesAdded"))
        let changed = try await bus.signals(
            matching: MatchRule(
                sender: "org.bluez", pathNamespace: "/org/bluez/hci0", interface: "org.freedesktop.DBus.Properties",
                member: "PropertiesChanged", firstArgument: "org.bluez.Adapter1"))
        _ = try await bus.call(
            destination: "org.bluez", path: "/org/bluez", interface: "org.bluez.Mock", member: "AddAdapter",
            arguments: [.string("hci0"), .string("desk")])

        let arrival = try await added.first { $0.arguments.first?.objectPath == "/org/bluez/hci0" }
        let interfaces = try #require(arrival?.arguments.last?.members)
        #expect(interfaces["org.bluez.Adapter1"]?.members?["Alias"]?.text == "desk")

        let objects = try await bus.call(
            destination: "org.bluez", path: "/", interface: "org.freedesktop.DBus.ObjectManager",
            member: "GetManagedObjects")
        #expect(objects.first?.members?["/org/bluez/hci0"]?.members?.keys.contains("org.bluez.Adapter1") == true)

        _ = try await bus.call(
            destination: "org.bluez", path: "/org/bluez/hci0", interface: "org.freedesktop.DBus.Properties",
            member: "Set", arguments: [.string("org.bluez.Adapter1"), .string("Powered"), .variant(.bool(false))])
        let change = try await changed.first { $0.arguments[1].members?["Powered"] != nil }
        #expect(change?.arguments[1].members?["Powered"]?.bool == false)
        let powered = try await bus.property(
            "Powered", of: "org.bluez.Adapter1", destination: "org.bluez", path: "/org/bluez/hci0")
        #expect(powered == .bool(false))
    }
}

import BusTestSupport
import CloverDBus
import CloverTestSupport

/// A private bus with the service of `Fixtures/echo-service.py` on it, and a connection to it.
struct EchoService {
    static let name = "org.example.Echo"
    static let path = "/org/example/Echo"

    let server: PrivateBus
    let process: RunningCommand
    let bus: Bus

    init() async throws {
        server = try await PrivateBus()
        let folder = String(#filePath.prefix(through: #filePath.lastIndex(of: "/") ?? #filePath.endIndex))
        process = try await server.startScript("\(folder)Fixtures/echo-service.py")
        bus = try await Bus.open(server.address)
    }

    func call(
        _ member: String, _ arguments: [DBusValue] = [], within limit: Duration = .seconds(30),
        until deadline: Deadline? = nil
    ) async throws(DBusError) -> [DBusValue] {
        try await bus.call(
            destination: Self.name, path: Self.path, interface: Self.name, member: member, arguments: arguments,
            within: limit, until: deadline)
    }

    /// Waits until it has been asked for that.
    func waitForCall(_ member: String) async throws {
        try await process.waitForOutput("a call of \(member)") {
            String(decoding: $0, as: UTF8.self).split(separator: "\n").contains(Substring(member))
        }
    }
}

extension Bus {
    /// Signals that match one rule.
    func signals(matching rule: MatchRule) async throws(DBusError) -> AsyncThrowingStream<DBusSignal, any Error> {
        try await signals(matchingAny: [rule])
    }
}

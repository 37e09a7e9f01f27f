import BusTestSupport
import CloverTestSupport
import Foundation
import Testing

@Suite("doctor: whatever is wrong comes with a command that mends it")
struct DoctorRemedyTests {
    /// All checks but that of libjq, without which the program does not start.
    private static let checks: Set = [
        "configuration", "state", "permissions", "leftovers", "ledger", "database", "credentials", "network", "proxy",
        "tls", "service", "clock", "token", "curl", "bus", "bluetooth", "adapters", "driver", "keyring", "completions",
    ]

    /// The checks that found something wrong; `Sandbox.doctor` requires a command of each of them.
    private static func wrong(_ report: DoctorReport) -> Set<String> {
        Set(report.findings.filter { $0.result == "fail" || $0.result == "warn" }.map(\.check))
    }

    @Test("every check that can fail or warn does")
    func all() async throws {
        var found: Set<String> = []
        for part in [Self.files, Self.services, Self.machine] { found.formUnion(try await part()) }
        #expect(found == Self.checks)
    }

    private static func files() async throws -> Set<String> {
        try await Sandbox.run(server: { _, _ in .page([]) }) { sandbox, server in
            var found = wrong(try await sandbox.withoutBuses.without("CLOVER_ACCESS_TOKEN").doctor("--offline"))
            expectSignedIn(try await sandbox.signIn(environment: server.url))
            let sandbox = sandbox.withoutBuses.without(
                "CLOVER_ACCESS_TOKEN", "CLOVER_MERCHANT_ID", "CLOVER_ENVIRONMENT")
            expectSuccess(try await sandbox.clover("get", "orders", "--limit", "1"))
            let files = sandbox.directory
            let ledger = try #require(files.files(below: "state/ratelimit").first { $0.hasSuffix(".ledger") })
            try files.write(ledger, "no ledger".utf8)
            try files.write("state/journal.sqlite", [UInt8](repeating: 0x41, count: 8192))
            try files.write("state/.current.json.new", "x".utf8)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -7200)], ofItemAtPath: files["state/.current.json.new"])
            for (name, mode) in [("state/credentials", 0o755), ("state", 0o755)] {
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: files[name])
            }
            try files.makeFolder("config")
            try files.write("config/config.yml", "formt: csv\n".utf8)
            found.formUnion(wrong(try await sandbox.doctor("--offline")))
            try files.write("config/config.yml", "format: csv\n".utf8)
            try files.write("state/credentials/us_SHOPONE_static.json", "{".utf8)
            found.formUnion(wrong(try await sandbox.doctor("--offline")))
            return found
        }
    }

    private static func services() async throws -> Set<String> {
        var found: Set<String> = []
        let late = ["Date: Thu, 01 Jan 2026 00:00:00 GMT"]
        let answers = [
            LoopbackResponse(status: "401 Unauthorized", headers: late, body: Array("{}".utf8)),
            LoopbackResponse(status: "503 Service Unavailable", "{}"), LoopbackResponse(status: "302 Found", "{}"),
            LoopbackResponse(status: "429 Too Many Requests", "{}"),
            LoopbackResponse(bytes: Array("220 mail\r\n".utf8), ending: .close), .reset,
        ]
        for answer in answers {
            try await Sandbox.run(server: { _, _ in answer }) { sandbox, _ in
                found.formUnion(wrong(try await sandbox.withoutBuses.doctor()))
            }
        }
        try await Sandbox.run { sandbox in
            let sandbox = sandbox.withoutBuses
            for address in ["https://nonexistent.invalid", "http://127.0.0.1:9"] {
                found.formUnion(wrong(try await sandbox.using(address).doctor()))
            }
            let proxied = sandbox.using("https://clover.example").with(["https_proxy": "http://127.0.0.1:9"])
            found.formUnion(wrong(try await proxied.doctor()))
            let missing = try await sandbox.using("http://127.0.0.1:9").doctor("--cacert", "missing.pem")
            found.formUnion(wrong(missing))
            let relay = try await TLSRelay(to: 9, in: sandbox.directory)
            found.formUnion(wrong(try await sandbox.using(relay.url).doctor()))
        }
        return found
    }

    private static func machine() async throws -> Set<String> {
        try await Sandbox.run(weight: 2) { sandbox in
            try sandbox.directory.makeFolder("libraries")
            let library = try sandbox.directory.write("libraries/libcurl.so.4", "no library".utf8)
            let bare = sandbox.withoutBuses.with([
                "CLOVER_READER_DRIVER": "no-such-driver", "SHELL": "/bin/bash",
                "LD_LIBRARY_PATH": String(library.dropLast("/libcurl.so.4".count)),
            ])
            var found = wrong(try await bare.doctor("--offline"))
            found.formUnion(wrong(try await bare.with(["CLOVER_READER_DRIVER": "'"]).doctor("--offline")))
            let bus = try await PrivateBus()
            let onBus = sandbox.with(bus.variables.filter { $0.key.hasPrefix("DBUS_") })
            found.formUnion(wrong(try await onBus.doctor("--offline")))
            let mock = try await BluetoothMock(on: bus)
            try await mock.update("/org/bluez/hci0", "adapter", "{'Powered': dbus.Boolean(False)}")
            let daemon = try await KeyringDaemon(on: bus, password: "test")
            daemon.pause()
            found.formUnion(wrong(try await onBus.doctor("--offline")))
            withExtendedLifetime((bus, mock)) {}
            return found
        }
    }
}

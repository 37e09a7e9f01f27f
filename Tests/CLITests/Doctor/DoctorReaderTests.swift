import BusTestSupport
import CloverTestSupport
import Foundation
import Testing

@Suite("doctor: bus, BlueZ, adapters, driver, keyring")
struct DoctorReaderTests {
    private static let tests = WeightedSemaphore(capacity: 2)

    private func onBus(_ body: (Sandbox, PrivateBus) async throws -> Void) async throws {
        try await Self.tests.withWeight(1) {
            // The bus has its time limit from its start on, so it is started when it is this test's turn.
            try await Sandbox.run { sandbox in
                let bus = try await PrivateBus()
                try await body(sandbox.with(bus.variables.filter { $0.key.hasPrefix("DBUS_") }), bus)
                withExtendedLifetime(bus) {}
            }
        }
    }

    @Test("without a system bus there is a warning, and BlueZ is left out")
    func noBus() async throws {
        try await Sandbox.run { sandbox in
            let report = try await sandbox.withoutBuses.doctor("--offline")
            #expect(report.of("bus").map(\.result) == ["warn"])
            #expect(report.of("bluetooth").map(\.result) == ["skip"])
            #expect(report.of("adapters").map(\.result) == ["skip"])
            #expect(report.of("keyring").map(\.result) == ["ok"])
        }
    }

    @Test("a driver that does not respond is named, as configured, in the command that checks it")
    func drivers() async throws {
        try await Sandbox.run { sandbox in
            for (driver, word) in [("/bin/false", "/bin/false"), ("/bin/echo it", "'/bin/echo it'")] {
                let sandbox = sandbox.withoutBuses.with(["CLOVER_READER_DRIVER": driver])
                let finding = try #require(try await sandbox.doctor("--offline").of("driver").first)
                #expect(finding.result == "fail")
                #expect(finding.next.first == "to diagnose it: clover reader driver-check \(word)", "\(finding.next)")
                let step = try #require(finding.next.first).dropFirst("to diagnose it: ".count)
                let looked = try await sandbox.shell(String(step))
                #expect(looked.status == 65 || looked.status == 69, "\(looked)")
            }
        }
    }

    @Test("a bus without BlueZ fails with the command that starts it")
    func noBlueZ() async throws {
        try await onBus { sandbox, _ in
            let report = try await sandbox.doctor("--offline", "--skip", "credentials")
            #expect(report.failed == ["bluetooth"], "\(report.result.outputText)")
            #expect(
                report.of("bluetooth").first?.message
                    == "BlueZ is not running: reader scan works with cloud and driver readers only")
            #expect(report.of("bluetooth").first?.next.first == "sudo systemctl start bluetooth")
            let without = try await sandbox.doctor("--offline", "--skip", "credentials,bluetooth")
            #expect(without.result.ending == .exited(0))
        }
    }

    @Test("a bus that accepts and says nothing is given up after seconds")
    func silentBus() async throws {
        try await onBus { sandbox, bus in
            bus.pause()
            let report = try await sandbox.doctor("--offline")
            #expect(report.findings.count == 21, "\(report.result)")
            #expect(report.of("bus").map(\.result) == ["warn"], "\(report.text("bus"))")
            #expect(report.text("bus").contains("did not respond within 3 s"))
            #expect(report.text("bus").contains("systemctl status dbus"))
            #expect(report.of("bluetooth").map(\.result) == ["skip"], "\(report.text("bluetooth"))")
            #expect(!report.result.outputText.contains("bring it closer"))
        }
    }

    @Test("an adapter that is on is in order, one that is off and none are warnings")
    func adapters() async throws {
        try await onBus { sandbox, bus in
            let mock = try await BluetoothMock(on: bus)
            let on = try await sandbox.doctor("--offline")
            #expect(on.of("bluetooth").map(\.result) == ["ok"], "\(on.result.outputText)")
            #expect(on.text("adapters").contains("Bluetooth is on at hci0"))
            try await mock.update("/org/bluez/hci0", "adapter", "{'Powered': dbus.Boolean(False)}")
            let off = try await sandbox.doctor("--offline")
            #expect(off.of("adapters").map(\.result) == ["warn"])
            #expect(off.text("adapters").contains("Bluetooth is off on hci0"))
        }
        try await onBus { sandbox, bus in
            let mock = try await BluetoothMock(adapters: [], on: bus)
            let none = try await sandbox.doctor("--offline")
            #expect(none.text("adapters").contains("no Bluetooth adapter"), "\(none.text("adapters"))")
            withExtendedLifetime(mock) {}
        }
    }

    @Test("a driver program that is set and missing fails; one that is there is started, and says who it is")
    func driver() async throws {
        try await Sandbox.run { sandbox in
            let sandbox = sandbox.withoutBuses
            let missing = try await sandbox.with(["CLOVER_READER_DRIVER": "no-such-driver --fast"])
                .doctor("--offline", "--skip", "credentials")
            #expect(missing.failed == ["driver"], "\(missing.result.outputText)")
            #expect(missing.text("driver").contains("no-such-driver: cannot be started"))
            #expect(missing.text("driver").contains("clover config set reader-driver"), "\(missing.text("driver"))")
            // While the variable is set, what the file says changes nothing.
            #expect(missing.text("driver").contains("unset CLOVER_READER_DRIVER"), "\(missing.text("driver"))")
            #expect(missing.text("bus").contains("unset DBUS_SYSTEM_BUS_ADDRESS"), "\(missing.text("bus"))")
            let emulator = try CommandRunner.builtProgram("clover-emulator")
            let driver = try await sandbox.makeScript("driver", "exec '\(emulator)' reader-driver")
            let found = try await sandbox.with(["CLOVER_READER_DRIVER": "driver", "PATH": sandbox.directory.path])
                .doctor("--offline", "--skip", "credentials")
            #expect(found.of("driver").map(\.result) == ["ok"], "\(found.text("driver"))")
            #expect(found.text("driver").contains("the driver \(driver) responds: "), "\(found.text("driver"))")
            #expect(found.text("driver").contains(", can charge, connect,"), "\(found.text("driver"))")
        }
    }

    @Test(
        "a driver program that ends, says nothing or speaks something else fails with what it did",
        arguments: [
            ("exit 3", "exited unexpectedly with status 3"), ("exec sleep 100", "sent nothing for 2 s"),
            ("echo ready; exec cat", "is not a JSON object"),
        ])
    func badDriver(_ body: String, _ says: String) async throws {
        try await Sandbox.run { sandbox in
            let script = try await sandbox.withoutBuses.makeScript("driver", body)
            let report = try await sandbox.withoutBuses.with(["CLOVER_READER_DRIVER": script])
                .doctor("--offline", "--skip", "credentials")
            #expect(report.failed == ["driver"], "\(report.result.outputText)")
            #expect(report.text("driver").contains(says), "\(report.text("driver"))")
        }
    }

    @Test("an unlocked keyring is in order, and a locked one is reported")
    func keyring() async throws {
        try await onBus { sandbox, bus in
            let daemon = try await KeyringDaemon(on: bus, password: "test")
            let answers = try await sandbox.doctor("--offline")
            #expect(answers.text("keyring").contains("the keyring works"), "\(answers.text("keyring"))")
            daemon.pause()
            let silent = try await sandbox.doctor("--offline")
            #expect(silent.of("keyring").map(\.result) == ["warn"], "\(silent.result.outputText)")
        }
    }

    @Test("a file of keys that cannot be read is not taken for one that has no key in the keyring")
    func unreadableKeys() async throws {
        try await Sandbox.run { sandbox in
            let folder = try sandbox.directory.makeFolder("keys")
            let shared = sandbox.withoutBuses.with([
                "CLOVER_STATE": "postgresql:///none", "CLOVER_CONFIG_DIR": folder,
            ])
            let without = try await shared.doctor("--offline")
            #expect(without.of("keyring").map(\.result) == ["ok"], "\(without.text("keyring"))")
            let path = try sandbox.directory.write("keys/state-keys.json", "{}".utf8)
            let unreadable = try await shared.doctor("--offline")
            #expect(unreadable.of("keyring").map(\.result) == ["warn"], "\(unreadable.text("keyring"))")
            #expect(unreadable.text("keyring").contains("is not known: \(path)"), "\(unreadable.text("keyring"))")
        }
    }
}

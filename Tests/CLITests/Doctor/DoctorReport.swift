import CloverTestSupport
import Foundation
import Testing

/// The output of `clover doctor --json`.
struct DoctorReport {
    struct Finding: Decodable {
        var check: String
        var result: String
        var message: String
        var next: [String]
        var repairs: [String]

        /// Whether it says that something is wrong, and no command that mends it, or shows more of it.
        var isHelpless: Bool {
            (result == "fail" || result == "warn") && !next.contains { $0.contains(DoctorReport.command) }
        }
    }

    /// A program that people call, at the beginning of a step or behind a colon.
    private nonisolated(unsafe) static let command =
        #/(^|: )(clover|sudo|chmod|mkdir|mv|df|ls|ps|env|export|unset|curl|systemctl|\$\{EDITOR:-nano\}) [^ ]/#

    let result: CommandResult
    let findings: [Finding]

    /// All findings of a check.
    func of(_ check: String) -> [Finding] { findings.filter { $0.check == check } }

    /// The words of a check, the worst result, messages and steps together.
    func text(_ check: String) -> String {
        of(check).map { ([$0.result, $0.message] + $0.next + $0.repairs).joined(separator: "\n") }
            .joined(separator: "\n")
    }

    /// The results of the checks that failed.
    var failed: [String] { findings.filter { $0.result == "fail" }.map(\.check) }
}

extension Sandbox {
    /// A sandbox without any bus of this machine.
    var withoutBuses: Sandbox {
        with([
            "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(directory["no-bus"])",
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(directory["no-bus"])",
        ])
    }

    func doctor(_ arguments: String...) async throws -> DoctorReport { try await doctor(arguments) }

    func doctor(_ arguments: [String]) async throws -> DoctorReport {
        let result = try await clover(["doctor", "--json"] + arguments)
        let findings = try result.lines.map {
            try JSONDecoder().decode(DoctorReport.Finding.self, from: Data($0.utf8))
        }
        // In all tests, each problem comes with a command that fixes it.
        #expect(findings.filter(\.isHelpless).isEmpty, "a command that mends it is missing")
        return DoctorReport(result: result, findings: findings)
    }
}

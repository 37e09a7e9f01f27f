import CloverTestSupport
import Foundation

/// What `clover doctor --json` said.
struct DoctorReport {
    struct Finding: Decodable {
        var check: String
        var result: String
        var message: String
        var next: [String]
        var repairs: [String]
    }

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
        return DoctorReport(
            result: result,
            findings: try result.lines.map { try JSONDecoder().decode(DoctorReport.Finding.self, from: Data($0.utf8)) })
    }
}

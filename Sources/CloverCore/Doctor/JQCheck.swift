import CloverJQ

/// The libjq that `--jq` runs on. Versions before 1.7 do not tell theirs, so it is known by what it can do.
struct JQCheck: DoctorCheck {
    /// A program that works from this version on.
    private static let signs = [
        ("1.8 or later", "trimstr(\"a\")"), ("1.7", "pick(.a)"), ("1.6", "getpath([]) | splits(\"a\")"),
    ]

    func look(_ patient: Patient) async throws -> [Finding] {
        for (version, source) in Self.signs where try await compiles(source, patient) {
            guard version == "1.6" else { return [.ok(.jq, "libjq \(version)")] }
            return [.ok(.jq, "libjq 1.6: whole numbers above 2^53 lose digits in --jq, and nowhere else")]
        }
        return [.fail(.jq, "libjq does not compile any program", next: ["sudo apt install --reinstall libjq1"])]
    }

    private func compiles(_ source: String, _ patient: Patient) async throws -> Bool {
        let filter = JQFilter(
            program: try JQProgram(source: source), output: patient.environment.standardOutput, workers: 1,
            onFailure: { _ in }, onMessage: { _ in })
        do throws(JQError) {
            try await filter.compiled()
            return true
        } catch {
            guard case .compile = error else { throw error }
            return false
        }
    }
}

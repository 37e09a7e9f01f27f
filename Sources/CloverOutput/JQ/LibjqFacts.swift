/// What depends on the version of libjq. Workarounds for 1.6, which is Debian 12's, are in these files; `DifferentialTests`
/// and `RandomTests` compare the results with those of the `jq` program:
/// - `JQCompiler`: `jq_init` leaves callbacks unset; the program's variables are an object, because an array is freed twice.
/// - `JQEngine`: after a halt, the state is not started again, because the message would be freed twice.
/// - `JQFilter`: `halt` ends the run, as documented, although jq 1.6 continues with the next record.
/// - `JQProgram`: `input_line_number` and `stderr` are defined anew, because libjq's own only suit the `jq` program.
/// - `QuickParser`, `CompactPrinter`: `depthLimit`; numbers are doubles, and printed as 1.6 prints them.
/// - `Extraction`: the grammar is that of 1.6.
package enum LibjqFacts {
    /// Levels of a value that are read and printed here. libjq 1.6 allows 256; the last one is left to it.
    static let depthLimit = 255

    /// Debian's package.
    package static let debianPackage = "libjq1"
}

/// The version of libjq. Before 1.7 it does not report its version, so it is found by features.
package enum JQVersion {
    /// Versions, each with a program that compiles from that version on.
    private static let features = [
        ("1.8 or later", "trimstr(\"a\")"), ("1.7", "pick(.a)"), ("1.6", "getpath([]) | splits(\"a\")"),
    ]

    /// Such as `1.6`; nil if no program compiles.
    ///
    /// - Parameter output: not written to; a filter needs one.
    package static func found(_ output: RecordOutput) async throws -> String? {
        for (version, source) in features where try await compiles(source, output) { return version }
        return nil
    }

    private static func compiles(_ source: String, _ output: RecordOutput) async throws -> Bool {
        let filter = JQFilter(
            program: try JQProgram(source: source), output: output, workers: 1, onFailure: { _ in },
            onMessage: { _ in })
        do throws(JQError) {
            try await filter.compiled()
            return true
        } catch {
            guard case .compile = error else { throw error }
            return false
        }
    }
}

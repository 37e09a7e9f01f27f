import CloverTestSupport
import Foundation
import Testing

/// `docs/fidelity.md` against the recorded cases; for the emulator see ``EmulatorFidelityTests``.
@Suite("recorded responses: the page about them")
struct FidelityTests {
    @Test("each claim has its evidence, each recorded one names a recorded case, and every named case exists")
    func claims() throws {
        let claims = try FidelityPage.rows().filter { $0.count == 4 && $0[0] != "claim" }
        #expect(claims.count > 30)
        let names = Set(RecordedCase.all.map(\.name))
        for claim in claims {
            #expect(["recorded", "documented", "inferred"].contains(claim[1]), "\(claim)")
            #expect(!claim[3].isEmpty, "\(claim)")
            let cases = FidelityPage.marked(claim[2]).filter { $0.contains("-") }
            #expect(cases.allSatisfy(names.contains), "\(claim)")
            // A case of another kind than the claim's evidence says of which.
            for name in cases {
                let kind = try RecordedCase.named(name).evidence.prefix { $0 != "," }
                guard !kind.hasPrefix("recorded"), kind != "documented" else { continue }
                #expect(claim[2].contains("`\(name)` (\(kind))"), "\(claim)")
            }
            if claim[1] == "documented" {
                let documented = try cases.filter { try RecordedCase.named($0).evidence.hasPrefix("documented") }
                let words = claim[2].replacing(/`[^`]*`( \([a-z ]*\))?/, with: "").filter(\.isLetter)
                #expect(!documented.isEmpty || !words.isEmpty, "rests on no documentation: \(claim)")
            }
            guard claim[1] == "recorded" else { continue }
            let evidence = try cases.map { try RecordedCase.named($0).evidence }
            #expect(!evidence.isEmpty && evidence.allSatisfy { $0.hasPrefix("recorded") }, "\(claim): \(evidence)")
        }
    }
}

/// `docs/fidelity.md`.
enum FidelityPage {
    /// The cells of the page's tables, without the heads.
    static func rows() throws -> [[String]] {
        let page = RecordedCase.folder.deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("docs/fidelity.md")
        return try String(contentsOf: page, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("| ") }.map {
            $0.dropFirst(2).dropLast(2).components(separatedBy: " | ").map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    static func marked(_ cell: String) -> [String] {
        cell.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }
            .map { String($0.element) }
    }
}

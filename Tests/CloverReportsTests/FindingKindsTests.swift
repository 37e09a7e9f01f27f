import CloverReports
import Foundation
import Testing

@Suite("Kinds of findings")
struct FindingKindsTests {
    @Test(
        "every kind of a reconciliation is in its manual page and in the page about reports",
        arguments: ["clover.reconcile.1", "clover-reports.7"])
    func explained(page: String) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: "man/\(page)"), encoding: .utf8)
        let words = Set(text.split { !$0.isLetter && $0 != "_" }.map(String.init))
        for kind in ReportFinding.Kind.ofReconciliation { #expect(words.contains(kind.rawValue), "\(kind)") }
    }
}

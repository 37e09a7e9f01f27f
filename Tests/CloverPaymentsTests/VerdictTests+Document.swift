import CloverPayments
import Foundation
import Testing

extension VerdictTests {
    @Test("docs/verdicts.md matches the function")
    func document() throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/verdicts.md")
        let text = try [Self.table(), ElsewhereVerdictTests.table(), PageVerdictTests.table()].joined(separator: "\n")
        if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" {
            try Data(text.utf8).write(to: path)
        }
        #expect(String(decoding: try Data(contentsOf: path), as: UTF8.self) == text)
    }

    private static func table() -> String {
        var lines = [
            "# What proves that money moved, or did not",
            "",
            "Generated from the function that makes every verdict (`Sources/CloverPayments/Verdict/Verdict.swift`); a test compares",
            "the two. *Moved* and *not moved* can be made by that function alone, and the journal takes a final state only with one.",
            "",
            "A payment that is shown outweighs everything else. *Unknown* ends with status 80 and stays open to later evidence.",
            "The second column of each rail: followed by a look at the service's own records that shows no payment.",
            "",
            "| evidence | ecommerce | and no payment | device | and no payment | reader | and no payment |",
            "|---|---|---|---|---|---|---|",
        ]
        for kind in kinds {
            var cells = [kind.testDescription]
            let isFollowUp = [.effect(outcome()), .unchanged, .changed(words)].contains(kind.evidence)
            for rail in rails {
                let operation = operation(isFollowUp ? .capture : .charge, on: rail)
                cells.append(word(Verdict(on: operation, [kind.evidence])))
                cells.append(word(Verdict(on: operation, [kind.evidence, isFollowUp ? .unchanged : .absent])))
            }
            lines.append("| " + cells.joined(separator: " | ") + " |")
        }
        lines += [
            "",
            "Under an external id or reference that you chose, a payment that is shown is only a candidate: it is named, and",
            "`clover charge settle --paid --payment` takes it. The same holds for a payment that looks alike.",
            "",
            "An end that rests on records without a payment is provisional, which the output says: the records are read again for",
            "seven days, with growing pauses, and a payment that shows up later wins.",
            "",
            "A decline is provisional, too, unless the service shows the declined charge under our external id: a proxy may have repeated the",
            "response to another request. A decline that names another charge ends nothing. Of a hold, a part that was captured is no partial",
            "approval, and a follow-up is not sent again once its charge shows a change that may be its effect.",
            "",
            "A cancellation that a device reports, and that this run did not ask for, ends a charge only after two looks, some seconds apart,",
            "that show no payment; it is provisional, too.",
            "",
            "A payment of the same amount from about the time of the charge, made with its own card token or of its customer,",
            "contradicts a decline, which a payment that only looks alike does not. That of another key's charge in the journal does not.",
            "An ecommerce payment with another card than the one typed here, or made more than ten minutes before the request without the",
            "card that was typed or a reference of ours, is not taken for the charge's. The time does not count under a key that you chose,",
            "which may be that of an earlier charge. Under an ID that you chose, one whose time is not shown is not taken for it either;",
            "where no clock of the service is shown, that of this machine counts.",
            "A sale on a device shows `captured` as false until its batch is closed, so that only the type PREAUTH shows that it is held.",
        ]
        return lines.joined(separator: "\n") + "\n"
    }
}

import CloverExport
import CloverJSON
import Testing

@Suite("export verify: records compared with the service")
struct ListComparisonTests {
    private static func batch(_ records: String...) -> RecordBatch {
        var batch = RecordBatch()
        for record in records { Array(record.utf8).withUnsafeBytes { batch.append($0) } }
        return batch
    }

    private static func comparison() throws -> ListComparison {
        try ListComparison("orders", merchant: "M", changed: "modifiedTime", history: "createdTime", since: nil)
    }

    @Test("names what is missing, older and gone, and not what came or changed after the last export")
    func findings() throws {
        var comparison = try Self.comparison()
        try comparison.add(
            Self.batch(
                #"{"id":"A","modifiedTime":5,"createdTime":1}"#, #"{"id":"B","modifiedTime":5,"createdTime":2}"#,
                #"{"id":"C","modifiedTime":5,"createdTime":3}"#, #"{"id":"D","modifiedTime":5,"createdTime":4}"#))
        // An older version in a later file.
        try comparison.add(
            Self.batch(#"{"id":"A","modifiedTime":4,"createdTime":1}"#, #"{"id":"Z","modifiedTime":1}"#))
        #expect(try comparison.facts().records == 5)
        #expect(try comparison.facts().earliest == 1)
        try comparison.compare(
            Self.batch(
                #"{"id":"A","modifiedTime":5,"createdTime":1}"#, #"{"id":"B","modifiedTime":7,"createdTime":2}"#,
                #"{"id":"D","modifiedTime":12,"createdTime":4}"#, #"{"id":"N","modifiedTime":6,"createdTime":6}"#,
                #"{"id":"O","modifiedTime":11,"createdTime":11}"#),
            exportedTo: 10)
        #expect(
            try comparison.findings().map { "\($0.kind.rawValue): \($0.sentence)" } == [
                "missing: orders N is at Clover, and missing here",
                "changed: orders B was changed at Clover before the last export, and is older here",
                "gone: orders C is here, and not in the list that Clover returned",
            ])
        #expect(comparison.later == 2)
        #expect(comparison.obstacle == nil)
    }

    @Test("a later time of change here is a finding, whenever the record changed at Clover")
    func laterHere() throws {
        var comparison = try Self.comparison()
        try comparison.add(
            Self.batch(
                #"{"id":"A","modifiedTime":50,"createdTime":1}"#, #"{"id":"B","modifiedTime":50,"createdTime":1}"#))
        try comparison.compare(
            Self.batch(
                #"{"id":"A","modifiedTime":5,"createdTime":1}"#, #"{"id":"B","modifiedTime":12,"createdTime":1}"#),
            exportedTo: 10)
        #expect(
            try comparison.findings().map { "\($0.kind.rawValue): \($0.sentence)" } == [
                "changed: orders A has a later time of change here than at Clover",
                "changed: orders B has a later time of change here than at Clover",
            ])
        #expect(comparison.later == 0)
    }

    @Test("a record of a list without changes is missing only if it was there at the last export")
    func since() throws {
        var comparison = try ListComparison(
            "customers", merchant: "M", changed: "modifiedTime", history: nil, since: "customerSince")
        try comparison.add(Self.batch(#"{"id":"A","customerSince":1}"#))
        try comparison.compare(
            Self.batch(
                #"{"id":"A","customerSince":1}"#, #"{"id":"B","customerSince":9}"#, #"{"id":"C","customerSince":10}"#),
            exportedTo: 10)
        #expect(try comparison.findings().map(\.sentence) == ["customers B is at Clover, and missing here"])
        #expect(comparison.later == 1)
    }

    @Test("a record on which a program failed is not missing; one of a list in full may have been removed since")
    func failed() throws {
        for (history, gone) in [("createdTime", ["gone"]), (nil, [])] as [(String?, [String])] {
            var comparison = try ListComparison(
                "orders", merchant: "M", changed: "modifiedTime", history: history, since: nil)
            let record = #"{"id":"A","modifiedTime":5,"createdTime":1}"#
            try comparison.add(
                Self.batch(record, #"{"id":"B","modifiedTime":5,"createdTime":1}"#), areFailed: true)
            try comparison.compare(Self.batch(record), exportedTo: 10)
            #expect(try comparison.findings().map(\.kind.rawValue) == gone, "\(history ?? "-")")
        }
    }

    @Test("names a hundred records of a kind, and counts the others")
    func many() throws {
        var comparison = try Self.comparison()
        for number in 0..<250 {
            try comparison.compare(Self.batch(#"{"id":"\#(number)","modifiedTime":1}"#), exportedTo: 10)
        }
        let findings = try comparison.findings()
        #expect(findings.count == 101)
        #expect(findings.last?.sentence == "the same of 150 more records of orders")
    }

    @Test("records without an id cannot be compared")
    func unnamed() throws {
        var comparison = try Self.comparison()
        try comparison.add(Self.batch(#"{"total":1}"#))
        #expect(comparison.obstacle == "1 of its records have no id")
    }
}

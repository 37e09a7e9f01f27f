import CloverExport
import CloverJSON
import Testing

@Suite("records that were exported before")
struct SeenRecordsTests {
    private func batch(_ records: String...) -> RecordBatch {
        var batch = RecordBatch()
        for record in records { Array(record.utf8).withUnsafeBytes { batch.append($0) } }
        return batch
    }

    private func ids(_ batch: RecordBatch) -> [String] { batch.records.compactMap { batch.id(of: $0) } }

    @Test("a version is exported once, and a changed one again")
    func versions() {
        var first = ExportedVersions(known: [:], field: "modifiedTime", newest: nil, end: 10_000, overlap: 1000)
        var records = batch(
            #"{"id":"A","modifiedTime":100}"#, #"{"id":"B","modifiedTime":5000}"#, #"{"id":"C","modifiedTime":5500}"#)
        first.drop(from: &records)
        #expect(ids(records) == ["A", "B", "C"])
        first.prune()
        // The next run begins a second before the newest.
        #expect(Set(first.found.keys) == ["B", "C"])
        #expect(first.newest == 5500)

        var next = ExportedVersions(
            known: first.found, field: "modifiedTime", newest: nil, end: 20_000, overlap: 1000)
        var again = batch(
            #"{"id":"B","modifiedTime":5000}"#, #"{"id":"C","modifiedTime":5600}"#, #"{"id":"D","modifiedTime":5500}"#)
        next.drop(from: &again)
        #expect(ids(again) == ["C", "D"])
        // Dropped versions are known to the run after that, too.
        #expect(Set(next.found.keys) == ["B", "C", "D"])
    }

    @Test("a time may be any number", arguments: [Int64.min, -1, .max])
    func anyTime(_ time: Int64) {
        var seen = ExportedVersions(known: [:], field: "modifiedTime", newest: nil, end: 10_000, overlap: 1000)
        var records = batch(#"{"id":"A","modifiedTime":\#(time)}"#)
        seen.drop(from: &records)
        seen.prune()
        #expect(ids(records) == ["A"])
        #expect(seen.newest == time && seen.found.keys.contains("A"))
    }

    @Test("a record without a time, or without an id, is recognized by its bytes")
    func withoutTime() {
        var first = ExportedVersions(known: [:], field: "modifiedTime", newest: nil, end: 10, overlap: 1)
        var records = batch(#"{"id":"A","name":"x"}"#, #"{"name":"nameless"}"#)
        first.drop(from: &records)
        #expect(first.found.count == 2)
        var next = ExportedVersions(known: first.found, field: "modifiedTime", newest: nil, end: 20, overlap: 1)
        var again = batch(#"{"id":"A","name":"x"}"#, #"{"name":"nameless"}"#, #"{"id":"A","name":"y"}"#)
        next.drop(from: &again)
        #expect(ids(again) == ["A"])
        #expect(again.records.count == 1)
    }

    @Test("times after the end do not move the start of the next run")
    func future() {
        var seen = ExportedVersions(known: [:], field: "t", newest: nil, end: 1000, overlap: 100)
        var records = batch(#"{"id":"A","t":950}"#, #"{"id":"B","t":99999}"#, #"{"id":"C","t":901}"#)
        seen.drop(from: &records)
        seen.prune()
        #expect(Set(seen.found.keys) == ["A", "B", "C"])
    }

    @Test("memory does not grow with the number of records")
    func bounded() {
        var seen = ExportedVersions(known: [:], field: "t", newest: nil, end: .max, overlap: 100)
        for number in 0..<20_000 {
            var records = batch(#"{"id":"R\#(number)","t":\#(number)}"#)
            seen.drop(from: &records)
        }
        #expect(seen.found.count <= 4098)
        seen.prune()
        #expect(seen.found.count == 101)
    }

    @Test("the checksum of a list depends on everything but its order")
    func sums() {
        func sum(_ batches: RecordBatch..., choice: String = "") -> String {
            var sum = ContentChecksum()
            for batch in batches { sum.add(batch) }
            return sum.text(choice: choice)
        }
        let (one, two) = (#"{"id":"A"}"#, #"{"id":"B"}"#)
        #expect(sum(batch(one, two)) == sum(batch(two), batch(one)))
        #expect(sum(batch(one, two)) != sum(batch(one)))
        #expect(sum(batch(one, one)) != sum(batch(two, two)))
        #expect(sum(batch(one), choice: "csv") != sum(batch(one)))
        #expect(sum() != sum(batch(one)))
    }
}

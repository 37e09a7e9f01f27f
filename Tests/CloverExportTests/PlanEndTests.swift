import CloverExport
import Testing

@Suite("export: what a finished plan leaves for the next run")
struct PlanEndTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var request = "last"
        var start: Int64? = 600
        var newest: Int64?
        var finish: Int64 = 2000
        var streamBookmark: Int64?
        var hasOtherForm = false
        var isFull = false
        var isTracked = true
        // What is expected.
        var bookmark: Int64?
        var overlap: Int64?
        var coveredTo: Int64?
        var hasForm = true
        var changesForm = false
    }

    private static let rows: [Row] = [
        Row(
            testDescription: "first run: the newest record less the overlap", newest: 1500, bookmark: 1200,
            overlap: 300,
            coveredTo: 2000),
        Row(
            testDescription: "first run without records: the start, whatever the clock", bookmark: 600, overlap: 300,
            coveredTo: 2000),
        Row(
            testDescription: "a record from the future: the end of the range", newest: 9000, bookmark: 1700,
            overlap: 300,
            coveredTo: 2000),
        Row(
            testDescription: "next run: moves on", newest: 1500, streamBookmark: 600, bookmark: 1200, overlap: 300,
            coveredTo: 2000),
        Row(
            testDescription: "next run without records: stays", streamBookmark: 600, bookmark: 600, overlap: 300,
            coveredTo: 2000),
        Row(
            testDescription: "a gap before the range: nothing moves", newest: 1500, streamBookmark: 500, coveredTo: nil,
            hasForm: false),
        Row(testDescription: "a range before the bookmark: covered already", streamBookmark: 2000, coveredTo: 2000),
        Row(
            testDescription: "a day: covered, without a bookmark", request: "day=2026-11-20@00:00", newest: 1500,
            coveredTo: 2000, hasForm: false),
        Row(
            testDescription: "a resource exported in full", start: nil, isTracked: false, coveredTo: 2000,
            hasForm: false),
        Row(
            testDescription: "another form: records in the kept form are still missing", newest: 1500,
            streamBookmark: 600, hasOtherForm: true, coveredTo: nil, hasForm: false),
        Row(
            testDescription: "everything in another form: goes on in it", request: "full", newest: 1500,
            streamBookmark: 600, hasOtherForm: true, isFull: true, bookmark: 1200, overlap: 300, coveredTo: 2000,
            changesForm: true),
        Row(
            testDescription: "the Export API since a time: changes of older records are missing",
            request: "export-api;since=600", newest: 1500, streamBookmark: 600, coveredTo: nil),
    ]

    @Test("bookmark, overlap, form and covered range", arguments: rows)
    func end(_ row: Row) {
        let form = ExportForm(choice: "A", words: "")
        var stream = ExportStream(environment: "us", merchant: "M", resource: "orders", bookmark: row.streamBookmark)
        stream.form = row.hasOtherForm ? ExportForm(choice: "B", words: "") : nil
        var plan = ExportPlan(
            request: row.request, startedAt: 2000, finish: row.finish, skipsKnownRecords: row.request == "last")
        (plan.start, plan.newest) = (row.start, row.newest)
        let end = plan.end(stream, form: form, isFull: row.isFull, overlap: 300, isTracked: row.isTracked)
        #expect(end.bookmark == row.bookmark)
        #expect(end.overlap == row.overlap)
        #expect(end.coveredTo == row.coveredTo)
        #expect(end.form == (row.hasForm ? form : nil))
        #expect(end.changesForm == row.changesForm)
    }
}

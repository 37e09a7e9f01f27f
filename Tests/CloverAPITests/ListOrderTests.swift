import CloverAPI
import CloverJSON
import Testing

@Suite("The order of a list's rows")
struct ListOrderTests {
    private static func key(_ number: Int) -> RecordKey {
        var text = "R\(number)"
        return text.withUTF8 { RecordKey(UnsafeRawBufferPointer($0)) }
    }

    @Test("a page without end is remembered in part, and its newest rows are still recognized")
    func endlessPage() {
        var order = ListOrder(.list)
        order.beginPage(at: 0)
        var most = 0
        for number in 0..<120_000 {
            order.meet(Self.key(number), isRepeat: false)
            most = max(most, order.remembered)
        }
        #expect(most <= 48_000 && order.remembered > 6000)
        // The next page overlaps by its first row, as usual.
        order.beginPage(at: 119_999)
        order.meet(Self.key(119_999), isRepeat: true)
        order.meet(Self.key(120_000), isRepeat: false)
        #expect(order.unexplained == 0)
        // A row that comes again in the wrong place is noticed.
        order.meet(Self.key(119_990), isRepeat: true)
        #expect(order.unexplained == 1)
    }
}

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

    @Test("rows that come twice in the same places of each reading are no change of the order")
    func fixed() {
        func read(_ rows: [Int], pages size: Int, into order: inout ListOrder, met: inout Set<Int>) {
            for start in stride(from: 0, to: rows.count, by: size) {
                // Pages overlap by one row.
                let offset = max(0, start - 1)
                order.beginPage(at: offset)
                for row in rows[offset..<min(rows.count, start + size)] {
                    order.meet(Self.key(row), isRepeat: !met.insert(row).inserted)
                }
            }
        }
        for (second, isFixed) in [([0, 1, 2, 2, 3, 4, 5], true), ([0, 1, 2, 3, 3, 4, 5], false)] {
            var order = ListOrder(.list)
            var met: Set<Int> = []
            read([0, 1, 2, 2, 3, 4, 5], pages: 3, into: &order, met: &met)
            #expect(order.unexplained == 1 && !order.isFixed)
            order.readAgain()
            read(second, pages: 2, into: &order, met: &met)
            #expect(order.unexplained == 1 && order.isFixed == isFixed, "\(second)")
        }
    }
}

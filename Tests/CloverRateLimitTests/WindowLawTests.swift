import ProbeSupport
import Testing

@Suite("The judges of the other tests")
struct WindowLawTests {
    @Test("A window that is too full is seen, one that ends in time is not")
    func peak() {
        #expect(WindowLaw.peak([]) == 0)
        #expect(WindowLaw.peak([0, 1_000_000_000]) == 1)
        #expect(WindowLaw.peak([0, 999_999_999]) == 2)
        #expect(WindowLaw.peak([5, 3, 4, 2_000_000_000], length: 3) == 3)
    }

    @Test("Spans that overlap are counted, spans that touch are not")
    func overlap() {
        #expect(WindowLaw.overlap([]) == 0)
        #expect(WindowLaw.overlap([(0, 2), (2, 4)]) == 1)
        #expect(WindowLaw.overlap([(0, 3), (2, 4), (1, 9)]) == 3)
    }
}

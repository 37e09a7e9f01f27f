import CloverEmulator
import Testing

@Suite("Card numbers")
struct CardNumberTests {
    @Test(
        "Derives the type from the issuer's range",
        arguments: [
            ("4242424242424242", "VISA"), ("5555555555554444", "MC"), ("2223003122003222", "MC"),
            ("378282246310005", "AMEX"), ("30569309025904", "DINERS_CLUB"), ("38520000023237", "DINERS_CLUB"),
            ("3566002020360505", "JCB"), ("6011000990139424", "DISCOVER"), ("9999999999999995", "UNKNOWN"),
        ])
    func brands(number: String, brand: String) throws {
        let card = try #require(CardNumber(number))
        #expect(card.brand == brand)
        #expect(card.isConsistent)
        #expect(card.first6 == number.prefix(6))
        #expect(card.last4 == number.suffix(4))
    }

    @Test("Detects one wrong digit and two transposed digits")
    func inconsistent() throws {
        #expect(try #require(CardNumber("4242424242424241")).isConsistent == false)
        #expect(try #require(CardNumber("4245222222222224")).isConsistent == false)
    }

    @Test(
        "Refuses other texts",
        arguments: ["", "42424242424", "42424242424242424242", "4242-4242-4242-4242", "٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢"])
    func malformed(text: String) {
        #expect(CardNumber(text) == nil)
    }
}

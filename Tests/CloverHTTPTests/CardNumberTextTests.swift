import CloverHTTP
import Testing

@Suite("Card numbers in text")
struct CardNumberTextTests {
    @Test(
        "Are taken out, also in groups",
        arguments: [
            ("card 4005562231212123 refused", "card (redacted) refused"),
            ("4005 5622 3121 2123", "(redacted)"),
            ("3759-876540-00004, 4005562231212123", "(redacted), (redacted)"),
            (#"{"pan":"5204245250003294"}"#, #"{"pan":"(redacted)"}"#),
            ("CARD_4222222222222", "CARD_(redacted)"),
            ("4005 5622 3121 2123 1229 123", "(redacted) 1229 123"), ("12 4005562231212123 1229", "12 (redacted) 1229"),
        ])
    func taken(_ text: String, _ shown: String) {
        #expect(CardNumberRedaction.redacted(text) == shown)
    }

    @Test(
        "Other numbers stay",
        arguments: [
            "4005562231212124", "1768021200000", "2026-11-21 21:49:25.259", "0.4005562231212123", "400556223121",
            "98c43410-20ba-449d-a246-848f017ff9b2", "amount 1250 of 125000000", "",
            "3D468191-8382-451B-AAE2-B067702EC3E8", "ab468191-8382-4510-4005-562231212123",
        ])
    func kept(_ text: String) {
        #expect(CardNumberRedaction.redacted(text) == text)
    }
}

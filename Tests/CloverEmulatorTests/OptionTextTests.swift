import CloverEmulator
import Testing

@Suite("Option texts")
struct OptionTextTests {
    @Test(
        "Instants are read",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2026-01-31T23:00:00Z", ShopSettings.defaultNow),
            ("2026-01-31T18:00:00-05:00", ShopSettings.defaultNow), ("2024-02-29T12:30:15.25+02:00", 1_709_202_615_250),
        ])
    func instants(text: String, milliseconds: Int) {
        #expect(InstantText.milliseconds(text) == milliseconds)
    }

    @Test(
        "Refuses texts that are not instants",
        arguments: [
            "", "now", "2026-01-31", "2026-02-30T00:00:00Z", "2026-13-01T00:00:00Z", "2026-01-31T24:00:00Z",
            "2026-01-31T23:00:00", "2026-01-31T23:00:00Zx", "2026-01-31T23:00:00.Z", "2026-01-31 23:00:00Z",
        ])
    func noInstants(text: String) {
        #expect(InstantText.milliseconds(text) == nil)
    }

    @Test("Durations are read")
    func durations() {
        #expect(DurationText.duration("50ms") == .milliseconds(50))
        #expect(DurationText.duration("1.5s") == .milliseconds(1500))
        #expect(DurationText.duration("2m") == .seconds(120))
        #expect(DurationText.duration("1.5h") == .seconds(5400))
        #expect(DurationText.duration("366d") == .seconds(366 * 86_400))
        for text in ["", "5", "ms", "-1s", "1w", "1e3s", "x5s", "99999999999999999999d"] {
            #expect(DurationText.duration(text) == nil)
        }
    }

    @Test("Durations with a sign are read where they may be negative")
    func signedDurations() {
        #expect(DurationText.signedDuration("-1h") == .seconds(-3600))
        #expect(DurationText.signedDuration("+90s") == .seconds(90))
        #expect(DurationText.signedDuration("90s") == .seconds(90))
        for text in ["-", "--1s", "-5", "+-1s"] { #expect(DurationText.signedDuration(text) == nil) }
    }

    @Test(
        "Writes dates in HTTP format",
        arguments: [
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777_999, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (ShopSettings.defaultNow, "Sat, 31 Jan 2026 23:00:00 GMT"), (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
            (1_709_251_199_000, "Thu, 29 Feb 2024 23:59:59 GMT"),
        ])
    func dates(milliseconds: Int, text: String) {
        #expect(HTTPDate.text(milliseconds) == text)
    }

    @Test(
        "Tokens are found in the header or the query",
        arguments: [
            ("Bearer abc", "/v3/x", "abc"), ("bearer abc", "/v3/x", "abc"), ("Basic abc", "/v3/x?access_token=q", nil),
            (nil, "/v3/x?limit=1&access_token=q%2D1", "q-1"), (nil, "/v3/x", nil),
        ])
    func tokens(authorization: String?, target: String, token: String?) {
        #expect(AccessToken.read(authorization: authorization, target: target) == token)
    }
}

import ArgumentParser
import CloverEmulator

/// The options of `serve` about lists that misbehave on purpose.
struct ListOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Let one row come and one go at every so many requests for a list.",
            discussion: """
                It holds for the lists of orders, items and customers, each counted for itself. A row the client has \
                seen already goes before the request is answered and a new one comes in front of the list after it; \
                the next time it is the other way round. \
                GET /emulator/drift has the ids.
                """,
            valueName: "requests"))
    var drift: Int?

    @Option(
        help: ArgumentHelp(
            "Change the shop by itself, so many times a second.",
            discussion: """
                Orders, payments, customers and items come, change and, but for payments, go; the seed and the number \
                of a change decide which. With --now clock they have the time of now. GET /emulator/churn tells what \
                was done; POST /emulator/churn?rate=R sets another rate, 0 for none, and ?changes=N makes changes at \
                once. GET /emulator/records/LIST has all records of a list as they are now, a line each.
                """,
            valueName: "rate"))
    var churn: Double = 0

    @Option(
        help: ArgumentHelp(
            "Make pages in the middle of a list shorter than asked, this often, from 0 to 1.",
            valueName: "probability"))
    var shortPage: Double = 0

    @Option(
        help: ArgumentHelp(
            "Answer 500 for this record, which stays in its lists; can be given more than once.", valueName: "id"))
    var missing: [String] = []

    @Option(help: ArgumentHelp("The most records of a page; larger limits are clamped in silence.", valueName: "count"))
    var clamp: Int = 1000

    func validate() throws {
        if let drift, drift < 1 { throw ValidationError("--drift must be at least 1") }
        guard (0...10_000).contains(churn) else { throw ValidationError("--churn must be from 0 to 10000") }
        guard (0...1).contains(shortPage) else { throw ValidationError("--short-page must be from 0 to 1") }
        guard (1...1000).contains(clamp) else { throw ValidationError("--clamp must be from 1 to 1000") }
    }

    /// What the options say; only after `validate`.
    var quirks: ListQuirks {
        var quirks = ListQuirks()
        quirks.drift = drift
        quirks.churn = churn
        quirks.shortPages = shortPage
        quirks.missing = Set(missing)
        quirks.largestLimit = clamp
        return quirks
    }
}

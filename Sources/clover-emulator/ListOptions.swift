import ArgumentParser
import CloverEmulator

/// The options of `serve` for deliberate list faults.
struct ListOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Insert one row and delete one after this number of requests for a list.",
            discussion: """
                Applies to the lists of orders, items and customers, each counted separately. A row that the client \
                has already seen is deleted before the response, and a new row is inserted at the front of the list \
                after it; next time, the other way round. GET /emulator/drift has the ids.
                """,
            valueName: "requests"))
    var drift: Int?

    @Option(
        help: ArgumentHelp(
            "Number of spontaneous changes of the shop per second.",
            discussion: """
                Orders, payments, customers and items are created, changed and, except for payments, deleted; the \
                seed and the number of a change determine it. With --now clock they have the current time. GET \
                /emulator/churn shows the changes made; POST /emulator/churn?rate=R sets another rate, 0 for none, \
                and ?changes=N makes changes at once. GET /emulator/records/LIST has all current records of a list, \
                one per line.
                """,
            valueName: "rate"))
    var churn: Double = 0

    @Option(
        help: ArgumentHelp(
            "Probability, from 0 to 1, that a page in the middle of a list is shorter than requested.",
            valueName: "probability"))
    var shortPage: Double = 0

    @Option(
        help: ArgumentHelp(
            "Return 500 for this record, which stays in its lists; can be given more than once.", valueName: "id"))
    var missing: [String] = []

    @Option(help: ArgumentHelp("Maximum page size; larger limits are silently clamped.", valueName: "count"))
    var clamp: Int = 1000

    func validate() throws {
        if let drift, drift < 1 { throw ValidationError("--drift must be at least 1") }
        guard (0...10_000).contains(churn) else { throw ValidationError("--churn must be from 0 to 10000") }
        guard (0...1).contains(shortPage) else { throw ValidationError("--short-page must be from 0 to 1") }
        guard (1...1000).contains(clamp) else { throw ValidationError("--clamp must be from 1 to 1000") }
    }

    /// The list faults from the options; call after `validate`.
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

import ArgumentParser
import CloverAuth
import CloverCalendar
import CloverCore
import CloverJSON
import CloverOutput
import CloverPayments

extension Checkout {
    /// `clover checkout list`.
    struct ListCheckouts: OwnRecordCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the pages in the journal, newest first",
            discussion: """
                Examples:
                  clover checkout list
                  clover checkout list --state open --jq .url -r
                  clover checkout list --limit 100 --format csv --money major

                Prints one JSON object a line, or a table on a terminal. Only the journal is read, and nothing is sent: \
                a state is what was last seen of a page, and 'clover checkout wait' looks again. As long as no payment \
                was seen, a page is open, with its url, or expired: one that expired may still have been paid. Then it \
                is paid; paidInPart, paidInParts or paidTwice, with several payments; or givenBack, if all of it was \
                refunded since; voided or held, if its payment is. notPaid is what a person recorded. A failed page was \
                not made, or no one has its address. Anything else is unknown, and reason says why. amount is what the page asks for, with taxes.
                """
        )

        @OptionGroup
        var which: JournalListOptions<CheckoutState>

        @OptionGroup(title: "What to print")
        var output: RecordOutputOptions

        @OptionGroup(title: "Messages")
        var paging: PagingOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        private static let columns = [
            "operation", "state", "amount", "currency", "payment", "reason", "settledBy", "url", "expiresAt",
            "expiresHereAt", "session", "idempotencyKey", "environment", "merchant", "createdAt", "updatedAt",
        ]

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let environment = paging.applied(to: environment)
            let now = environment.clock.wall()
            let (limit, state) = (which.limit, which.state)
            var pages: [PaymentOperation] = []
            if let journal = try await environment.existingJournal() {
                // A state depends on the time, so that the journal cannot be asked for it.
                pages = try await journal.operations(on: .hostedCheckout, limit: state == nil ? limit : Int.max)
            }
            if let state { pages = Array(pages.filter { $0.checkoutState(now: now) == state }.prefix(limit)) }
            if await environment.hasChargesInFile() {
                environment.diagnostics.notice(try State.chargesLeft(in: environment))
            }
            let list = OwnList(
                lines: pages.map { Self.line($0, now: now).text }, columns: Self.columns,
                times: ["expiresAt", "expiresHereAt", "createdAt", "updatedAt"], amounts: ["amount"])
            return try await list.print(output, messages, in: environment) { times in
                guard !pages.isEmpty else {
                    environment.diagnostics.notice(
                        state.map { "no page is \($0.rawValue)" }
                            ?? "there are no pages yet; see 'clover help checkout create'")
                    return TextPage("")
                }
                environment.diagnostics.notice("states are as last seen; to look again: clover checkout wait ID")
                let rows: [[String]] = pages.map { page in
                    let cells: [String] = [
                        page.id, page.checkoutState(now: now)?.rawValue ?? "", page.asked?.signedText ?? "",
                        times.text(milliseconds: page.createdAt), page.outcome.paymentID ?? "", page.idempotencyKey,
                    ]
                    return cells.map { Diagnostics.printable($0) }
                }
                return AlignedRows.text(
                    head: ["CHECKOUT", "STATE", "AMOUNT", "CREATED", "PAYMENT", "KEY"], rows,
                    meanings: [
                        "CHECKOUT": .identifier, "STATE": .state, "AMOUNT": .amount, "CREATED": .whole,
                        "PAYMENT": .identifier,
                    ], in: environment)
            }
        }

        /// A page as clover's own JSON.
        private static func line(_ page: PaymentOperation, now: Int64) -> JSONLine {
            let state = page.checkoutState(now: now)
            let outcome = page.outcome
            var line = JSONLine()
            line.add("operation", page.id)
            line.add("state", state?.rawValue)
            line.add("amount", page.asked?.minorUnits ?? page.minorUnits)
            line.add("currency", page.currencyCode)
            line.add("payment", outcome.paymentID.flatMap { $0.isEmpty ? nil : $0 })
            line.add("reason", outcome.contradiction ?? outcome.reason ?? outcome.text ?? page.report)
            line.add("settledBy", outcome.settledBy)
            if let session = outcome.session {
                if state == .open { line.add("url", session.address) }
                line.add("expiresAt", instant: session.expiresAt ?? page.expiry)
                if let here = page.expiryHere { line.add("expiresHereAt", instant: here) }
                line.add("session", session.id)
            }
            line.add("idempotencyKey", page.idempotencyKey)
            line.add("environment", page.environment)
            line.add("merchant", page.merchantID)
            line.add("createdAt", instant: page.createdAt)
            line.add("updatedAt", instant: page.updatedAt)
            return line
        }
    }
}

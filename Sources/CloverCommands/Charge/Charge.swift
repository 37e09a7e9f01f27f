import ArgumentParser
import CloverAuth
import CloverCalendar
import CloverCore
import CloverJSON
import CloverOutput
import CloverPayments

/// `clover charge`.
struct Charge: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "charge",
        abstract: "Charge cards; no crash, retry or lost response charges twice",
        discussion: """
            Examples:
              clover charge --amount 12.50 --currency USD --device C030UQ12345678
              clover charge recover --all
              clover charge refund c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z --amount 5.00

            Every charge is written to a journal, with its idempotency key, before the first byte is sent. If a crash \
            or a lost response leaves an outcome open, 'clover charge recover' settles it under the same key and never \
            under a new one; you can run it from cron at any time. If no service knows the outcome, settle it by hand \
            with 'clover charge settle'.

            For the options of a charge, run 'clover help charge create'.
            """,
        subcommands: [
            Create.self, List.self, Show.self, Recover.self, Settle.self, FollowUpCommand<Capture>.self,
            FollowUpCommand<VoidCharge>.self, FollowUpCommand<Refund>.self, FollowUpCommand<Tip>.self,
            FollowUpCommand<Increment>.self, FollowUpCommand<Receipt>.self, Card.self, Square.self,
        ],
        defaultSubcommand: Create.self
    )
}

extension Charge {
    /// `clover charge list`.
    struct List: OwnRecordCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the charges in the journal, newest first",
            discussion: """
                Examples:
                  clover charge list --state unknown
                  clover charge list --limit 100 --jq '{charge,status,amount}'
                  clover charge list --period today --format csv --money major

                Prints one JSON object a line, or a table on a terminal. For a table and for --period, the service is \
                asked for the merchant's time zone, and for nothing else.
                """
        )

        @OptionGroup
        var which: JournalListOptions<OperationState>

        @Option(
            name: .long,
            help: ArgumentHelp(
                "List only charges that were made on these days, in the merchant's time zone: today, yesterday, 2026-10.",
                valueName: "period"))
        var period: String?

        @OptionGroup(title: "What to print")
        var output: RecordOutputOptions

        @OptionGroup(title: "Messages")
        var paging: PagingOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        /// The times of the period, in milliseconds since 1970.
        private func times(
            _ zone: FormatChoice.Zone?, in environment: CommandEnvironment
        ) async throws -> Range<Int64>? {
            guard let period else { return nil }
            let newest = try await ChargeReport.all(limit: 1, state: nil, in: environment)
            let merchant = ChargeReport.merchant(of: newest, ConnectionChoice(), in: environment)
            let times = try await DisplayedTimes.ofMerchant(
                zone, ConnectionChoice(), merchant: merchant, in: environment)
            let calendar = BusinessCalendar(zone: times.zone)
            do throws(PeriodError) {
                let days = try Period(
                    parsing: period.lowercased(), today: calendar.date(at: environment.clock.wall()))
                return calendar.start(of: days.first)..<calendar.start(of: days.last + 1)
            } catch {
                throw ReportError.period(error, today: nil)
            }
        }

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let environment = paging.applied(to: environment)
            let records = try await output.records(messages, in: environment)
            let reports = try await ChargeReport.all(
                limit: which.limit, state: which.state, times: try await times(records.format.zone, in: environment),
                in: environment)
            if await environment.hasChargesInFile() {
                environment.diagnostics.notice(try State.chargesLeft(in: environment))
            }
            let merchant = ChargeReport.merchant(of: reports, ConnectionChoice(), in: environment)
            guard !records.isOpen(in: environment) else {
                guard !reports.isEmpty else {
                    environment.diagnostics.notice(
                        which.state.map { "no charge is \($0.rawValue)" }
                            ?? "there are no charges yet; see 'clover help charge'")
                    return ExitStatus.done.rawValue
                }
                let times = try await DisplayedTimes.ofMerchant(
                    records.format.zone, ConnectionChoice(), merchant: merchant, in: environment)
                let table = ChargeReport.table(reports, times)
                let page = AlignedRows.text(
                    head: table.head, table.rows,
                    meanings: [
                        "CHARGE": .identifier, "CREATED": .whole, "STATUS": .state, "AMOUNT": .amount,
                        "PAYMENT": .identifier, "SQUARE STATE": .identifier,
                    ], in: environment)
                try await StandardOutput.show(page, in: environment)
                if page.showsTimes { environment.diagnostics.notice(times.sentence) }
                return ExitStatus.done.rawValue
            }
            let report = try await records.print(
                reports.map(\.json), try ChargeReport.schema(), merchant: merchant, in: environment)
            return output.jq.ending(of: report, in: environment)
        }
    }
}

extension Charge {
    /// `clover charge show`.
    struct Show: OwnRecordCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show one charge: its states, and the operations on it",
            discussion: """
                Examples:
                  clover charge show c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z
                  clover charge show c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z --json | jq -r .status
                  clover charge show c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z --check --jq .service

                With --check, also asks the service and shows whether it agrees; 'unchecked' names what it does not \
                show, and so was not compared. Nothing is changed. If the charge's \
                payment is known and cannot be asked for, the charge is shown, and the status is 69. A page of \
                'clover checkout' ends as 'clover charge recover' does if what is found needs a person (80). Without --check, \
                the service is asked only for a terminal, for the merchant's time zone. To settle what is open, run \
                'clover charge recover'.
                """
        )

        @Argument(
            help: ArgumentHelp("ID of the charge, or of an operation on it.", valueName: "id"), completion: .asked)
        var identifier: String

        @Flag(name: .long, help: "Also ask the service about the charge.")
        var check = false

        @OptionGroup(title: "What to print")
        var output: RecordOutputOptions

        @OptionGroup(title: "Connection")
        var connection: ConnectionOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let records = try await output.records(messages, in: environment)
            let charge = try await ChargeReport.one(
                identifier, checking: check ? connection.choice : nil, in: environment)
            let merchant = ChargeReport.merchant(of: [charge], connection.choice, in: environment)
            guard !records.isOpen(in: environment) else {
                let times = try await DisplayedTimes.ofMerchant(
                    records.format.zone, connection.choice, merchant: merchant, in: environment)
                let width = environment.terminal.width
                let lines = charge.lines(times).flatMap { FoldedText.lines($0, indent: 4, width: width) }
                try await StandardOutput.print(lines.map { $0 + "\n" }.joined(), in: environment)
                environment.diagnostics.notice(times.sentence)
                try charge.checkEnding()
                return ExitStatus.done.rawValue
            }
            let report = try await records.print(
                [charge.json], try ChargeReport.schema(), merchant: merchant, in: environment)
            try charge.checkEnding()
            return output.jq.ending(of: report, in: environment)
        }
    }
}

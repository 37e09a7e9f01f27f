import ArgumentParser
import CloverCore
import CloverPayments
import CloverRecords

extension Charge {
    /// `clover charge list`.
    struct List: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the charges in the journal, newest first",
            discussion: """
                Examples:
                  clover charge list --state unknown
                  clover charge list --limit 100 --jq '{charge,status,amount}'
                  clover charge list --format csv --money major

                Prints one JSON object a line, or a table on a terminal. For a table, the service is asked for the \
                merchant's time zone, and for nothing else.
                """
        )

        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp("Maximum number of charges.", valueName: "count"))
        var limit = 20

        @Option(
            name: .long, help: ArgumentHelp("Only charges in this state.", valueName: "state"),
            completion: .list(states), transform: Self.state)
        var state: OperationState?

        @OptionGroup(title: "What to print")
        var printing: OwnRecordOptions

        @OptionGroup(title: "Messages")
        var paging: PagingOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        private static let states = OperationState.allCases.map(\.rawValue)

        private static func state(_ text: String) throws -> OperationState {
            guard let state = OperationState(rawValue: text) else {
                throw ValidationError("--state takes one of \(states.joined(separator: ", "))")
            }
            return state
        }

        func validate() throws {
            guard limit >= 1 else { throw ValidationError("--limit takes a whole number from 1, not \(limit)") }
        }

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let environment = paging.applied(to: messages.applied(to: environment))
            let records = try await printing.records(messages, in: environment)
            let reports = try await ChargeReport.all(limit: limit, state: state, in: environment)
            let merchant = ChargeReport.merchant(of: reports, ConnectionChoice(), in: environment)
            guard !records.isOpen(in: environment) else {
                guard !reports.isEmpty else {
                    environment.diagnostics.notice(
                        state.map { "no charge is \($0.rawValue)" }
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
                if let notice = times.notice { environment.diagnostics.notice(notice) }
                return ExitStatus.done.rawValue
            }
            let report = try await records.print(
                reports.map(\.json), try ChargeReport.schema(), merchant: merchant, in: environment)
            return printing.jq.ending(of: report, in: environment)
        }
    }
}

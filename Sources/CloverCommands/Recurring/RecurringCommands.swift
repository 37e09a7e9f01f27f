import ArgumentParser
import CloverAuth
import CloverCore
import CloverJSON
import CloverOutput
import CloverPayments

/// Something of the merchant that a command lists, such as plans.
protocol ListedNoun {
    /// The arguments that narrow the list.
    associatedtype Scope: ParsableArguments
    static var listing: CommandConfiguration { get }
    /// Members of a line with a single value.
    static var columns: [String] { get }
    /// Those of `columns` that are amounts in the smallest unit of a line's `currency`.
    static var amounts: Set<String> { get }
    /// Titles and members of the table on a terminal.
    static var shown: [(title: String, member: String)] { get }

    /// Reads the list.
    ///
    /// - Returns: its lines, and the notice if there are none.
    static func lines(
        _ scope: Scope, _ choice: ConnectionChoice, in environment: CommandEnvironment
    ) async throws -> (lines: [JSONLine], empty: String)
}

extension ListedNoun {
    static var amounts: Set<String> { [] }
}

/// The scope of a list that is not narrowed.
struct WholeList: ParsableArguments {}

/// `clover plan list` and its like.
struct ListCommand<Noun: ListedNoun>: OwnRecordCommand {
    static var configuration: CommandConfiguration { Noun.listing }

    @OptionGroup
    var scope: Noun.Scope

    @OptionGroup(title: "What to print")
    var output: RecordOutputOptions

    @OptionGroup(title: "Connection")
    var connection: ConnectionOptions

    @OptionGroup(title: "Messages")
    var paging: PagingOptions

    @OptionGroup(title: "Messages")
    var messages: MessageOptions

    func run(in environment: CommandEnvironment) async throws -> Int32 {
        let environment = paging.applied(to: environment)
        let (lines, empty) = try await Noun.lines(scope, connection.choice, in: environment)
        return try await OwnList(lines: lines.map(\.text), columns: Noun.columns, amounts: Noun.amounts).print(
            output, messages, connection.choice, in: environment, shown: Noun.shown, empty: empty)
    }
}

/// Plans or subscriptions, for the commands that are the same for both.
protocol RecurringNoun: ListedNoun {
    associatedtype Changes: RecurringChanges
    static var isPlan: Bool { get }
    static var showing: CommandConfiguration { get }
    static var changing: CommandConfiguration { get }
    static var ending: CommandConfiguration { get }
    /// The event of one that was ended, such as `deleted`.
    static var ended: String { get }
    /// The fields that a change sends again as they are, because it replaces the whole.
    static var kept: [String] { get }

    /// Adds what is shown of one, after its ID.
    ///
    /// - Parameter currency: the code of its amounts; nil if it is unknown.
    static func describe(_ row: JSONTree, in currency: String?, to line: inout JSONLine)
}

/// The options of a change.
protocol RecurringChanges: ParsableArguments {
    var amount: ChangedAmountOptions { get }

    /// The fields to change besides the amount.
    func texts() throws -> [String: String]
}

extension RecurringNoun {
    static var noun: String { isPlan ? "plan" : "subscription" }

    static var amounts: Set<String> { ["amount", "planAmount"] }

    /// One as clover's own JSON.
    ///
    /// - Parameter currency: the code of its amounts, unless it shows one; nil if it is unknown.
    static func line(
        _ id: String, _ row: JSONTree? = nil, in currency: String? = nil, event: String? = nil
    ) -> JSONLine {
        var line = JSONLine()
        if let event { line.add("event", event) }
        line.add(noun, id)
        if let row { describe(row, in: row["currency"]?.string?.uppercased() ?? currency, to: &line) }
        return line
    }
}

/// The one that a command is about.
struct RecurringArguments<Noun: RecurringNoun>: ParsableArguments {
    @Argument(help: ArgumentHelp("ID of the \(Noun.noun).", valueName: Noun.noun))
    var identifier: String

    func validate() throws {
        if identifier.isEmpty { throw ValidationError("the ID of the \(Noun.noun) is empty") }
    }

    var item: RecurringItem { RecurringItem(isPlan: Noun.isPlan, id: identifier) }
}

/// `clover plan show` and `clover subscription show`.
struct ShowCommand<Noun: RecurringNoun>: RecordCommand {
    static var configuration: CommandConfiguration { Noun.showing }

    @OptionGroup
    var which: RecurringArguments<Noun>

    @OptionGroup(title: "What to print")
    var outputFile: OutputFileOptions

    @OptionGroup(title: "Connection")
    var connection: ConnectionOptions

    @OptionGroup(title: "Messages")
    var messages: MessageOptions

    func run(in environment: CommandEnvironment) async throws -> Int32 {
        let recurring = try await RecurringConnection.resolve(connection.choice, in: environment)
        let row = try await recurring.present(which.item)
        let currency = try await recurring.currency(of: [row], in: environment)
        return try await environment.print(Noun.line(row.id, row.tree, in: currency))
    }
}

/// `clover plan change` and `clover subscription change`.
struct ChangeCommand<Noun: RecurringNoun>: CloverCommand {
    static var configuration: CommandConfiguration { Noun.changing }

    @OptionGroup
    var which: RecurringArguments<Noun>

    @OptionGroup
    var changes: Noun.Changes

    @OptionGroup(title: "Connection")
    var connection: ConnectionOptions

    @OptionGroup(title: "Messages")
    var messages: MessageOptions

    func validate() throws {
        guard try changes.amount.isGiven || !changes.texts().isEmpty else {
            throw ValidationError("there is nothing to change")
        }
    }

    func run(in environment: CommandEnvironment) async throws -> Int32 {
        var fields = try changes.texts().mapValues { JSONTree.text($0) }
        fields["amount"] = try changes.amount.minorUnits().map { .integer($0) }
        RecurringDate.check(fields["endDate"]?.string, "--end", in: environment)
        let recurring = try await RecurringConnection.resolve(connection.choice, in: environment)
        if let currency = try changes.amount.named() {
            try await recurring.payment.checkCurrency(currency, in: environment)
        }
        let now = environment.clock.wall()
        let row = try await recurring.change(which.item, fields, keeping: Noun.kept, at: now)
        let currency = try changes.amount.named()?.code
        let status = try await environment.print(Noun.line(row.id, row.tree, in: currency, event: "changed"))
        // Only the service knows the first day.
        if let end = fields["endDate"]?.string?.prefix(10), let start = RecurringList.dateText(row.tree["startDate"]),
            end < start.prefix(10)
        {
            environment.diagnostics.warning(
                "the \(Noun.noun) \(row.id) is shown with a first day (\(start.prefix(10))) after its last day (\(end)): Clover decides "
                    + "whether it is ever charged")
        }
        if !row.isActive, !row.ends(by: now) {
            environment.diagnostics.warning("the \(Noun.noun) \(row.id) was changed, and is shown as not active")
        }
        return status
    }
}

/// `clover plan delete` and `clover subscription cancel`.
struct EndCommand<Noun: RecurringNoun>: CloverCommand {
    static var configuration: CommandConfiguration { Noun.ending }

    @OptionGroup
    var which: RecurringArguments<Noun>

    @OptionGroup(title: "Connection")
    var connection: ConnectionOptions

    @OptionGroup(title: "Messages")
    var messages: MessageOptions

    func run(in environment: CommandEnvironment) async throws -> Int32 {
        try await RecurringConnection.resolve(connection.choice, in: environment).end(which.item, Noun.ended)
        return try await environment.print(Noun.line(which.identifier, event: Noun.ended))
    }
}

extension CommandEnvironment {
    /// Prints one line of JSON.
    ///
    /// - Returns: the status of success.
    func print(_ line: JSONLine) async throws -> Int32 {
        try await standardOutput.write(Array((line.text + "\n").utf8))
        return ExitStatus.done.rawValue
    }
}

extension JSONLine {
    /// Adds members of a response under names of our own. A number may come as text.
    mutating func add(numbers: [(name: String, member: String)], of row: JSONTree) {
        for (name, member) in numbers { add(name, row[member]?.int ?? row[member]?.string.flatMap { Int64($0) }) }
    }
}

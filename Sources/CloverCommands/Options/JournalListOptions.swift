import ArgumentParser
import CloverPayments

/// What a list of the journal may be asked for by its state.
protocol JournalListState: RawRepresentable, CaseIterable, Sendable where RawValue == String {
    /// The help of `--limit` and `--state`.
    static var limitHelp: String { get }
    static var stateHelp: String { get }
}

extension OperationState: JournalListState {
    static var limitHelp: String { "Maximum number of charges." }
    static var stateHelp: String {
        "List only charges in this state; unknown includes those that were sent and have no outcome yet."
    }
}

extension CheckoutState: JournalListState {
    static var limitHelp: String { "Maximum number of pages." }
    static var stateHelp: String { "List only pages in this state." }
}

/// How many rows of the journal a list has, and which.
struct JournalListOptions<Kind: JournalListState>: ParsableArguments {
    @Option(
        name: .long, parsing: .unconditional, help: ArgumentHelp("\(Kind.limitHelp)", valueName: "count"))
    var limit = 20

    @Option(
        name: .long, help: ArgumentHelp("\(Kind.stateHelp)", valueName: "state"),
        completion: .list(Kind.allCases.map(\.rawValue)), transform: Self.state)
    var state: Kind?

    private static func state(_ text: String) throws -> Kind {
        guard let state = Kind(rawValue: text) else {
            let states = Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("--state takes one of \(states)")
        }
        return state
    }

    func validate() throws {
        guard limit >= 1 else { throw ValidationError("--limit takes a whole number from 1, not \(limit)") }
    }
}

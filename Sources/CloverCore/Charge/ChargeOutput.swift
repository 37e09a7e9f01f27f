import CloverPayments
import CloverRecords
import Synchronization

/// Prints what a run about money tells: JSON lines, or text at a terminal. A reader who leaves does not end the run,
/// which only its own end may.
final class ChargeOutput: Sendable {
    private let output: RecordOutput
    private let isText: Bool
    /// The end alone.
    private let isFinalOnly: Bool
    private let failure = Mutex<RecordWriteError?>(nil)
    /// The lines on the terminal that what is printed must not meet.
    private let board = Mutex<ProgressBoard?>(nil)

    init(isJSON: Bool, isQuiet: Bool, in environment: CommandEnvironment) {
        output = environment.standardOutput
        isText = environment.terminal.isOutputTerminal && !isJSON
        isFinalOnly = isQuiet
    }

    func show(_ event: ChargeEvent) async {
        if isFinalOnly {
            guard case .settled(let operation) = event else { return }
            // What takes a part back again has the last word.
            if operation.isPartial, !operation.request.acceptsPartial, operation.rail != .reader { return }
        }
        guard let board = board.withLock(\.self) else { return await tell(event) }
        await board.aside { await tell(event) }
    }

    private func tell(_ event: ChargeEvent) async {
        await print(isText ? OperationText.line(event) : OperationJSON.event(event, Self.word(event)).text)
    }

    /// From now on what is printed stands above the lines of this board.
    func stands(above board: ProgressBoard) {
        self.board.withLock { $0 = board }
    }

    /// Throws what kept the output from being written, when everything else is done.
    func finish() throws(RecordWriteError) {
        if let failure = failure.withLock(\.self) { throw failure }
    }

    private func print(_ line: String) async {
        do throws(RecordWriteError) {
            try await output.write(Array((isText ? Diagnostics.printable(line) : line).utf8) + [UInt8(ascii: "\n")])
        } catch {
            failure.withLock { $0 = $0 ?? error }
        }
    }

    /// The event's name.
    private static func word(_ event: ChargeEvent) -> String {
        switch event {
        case .created: "created"
        case .sent: "sent"
        case .progress: "progress"
        case .cancelling: "cancelling"
        case .skipped: "skipped"
        case .settled(let operation): ending(operation)
        }
    }

    /// Only a charge is ever `approved`.
    private static func ending(_ operation: PaymentOperation) -> String {
        guard operation.state == .approved else { return operation.state.rawValue }
        return switch operation.kind {
        case .charge: operation.isPartial ? "partial" : "approved"
        case .capture: "captured"
        case .void: "voided"
        case .refund: "refunded"
        case .tip: "tipAdjusted"
        case .increment: "incremented"
        case .receipt: "receiptSent"
        }
    }
}

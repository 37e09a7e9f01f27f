import CloverCore
import CloverPayments

/// Something that is done with a charge after it: the same but for what each kind is told.
protocol FollowUpCommand: CloverCommand {
    static var kind: OperationKind { get }
    /// The charge's id.
    var identifier: String { get }
    var operation: OperationOptions { get }
    var connection: ConnectionOptions { get }
    var messages: MessageOptions { get }

    /// Adds what only this kind is told.
    func fill(_ run: inout FollowUpCharge)
}

extension FollowUpCommand {
    func fill(_ run: inout FollowUpCharge) {}

    func run(in environment: CommandEnvironment) async throws -> Int32 {
        let environment = messages.applied(to: environment)
        var run = FollowUpCharge(Self.kind, charge: identifier, connection: connection.choice)
        fill(&run)
        operation.apply(to: &run, messages)
        run.maximumTime = try operation.patience.seconds(await environment.settings(for: connection.choice))
        try await run.run(in: environment)
        return ExitStatus.done.rawValue
    }
}

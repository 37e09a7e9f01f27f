import CloverCore
import CloverPayments

/// An operation on an existing charge. All kinds share `run`; they differ in the options that `fill` adds.
protocol FollowUpCommand: CloverCommand {
    static var kind: OperationKind { get }
    /// The ID of the charge.
    var identifier: String { get }
    var operation: OperationOptions { get }
    var connection: ConnectionOptions { get }
    var messages: MessageOptions { get }

    /// Adds the options that only this kind has.
    func fill(_ run: inout FollowUpCharge)
}

extension FollowUpCommand {
    func fill(_ run: inout FollowUpCharge) {}

    func run(in environment: CommandEnvironment) async throws -> Int32 {
        let environment = messages.applied(to: environment)
        var run = FollowUpCharge(Self.kind, charge: identifier, connection: connection.choice)
        fill(&run)
        operation.apply(to: &run, messages)
        run.maximumTime = try operation.limits.seconds(await environment.settings(for: connection.choice))
        try await run.run(in: environment)
        return ExitStatus.done.rawValue
    }
}

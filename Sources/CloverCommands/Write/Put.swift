import ArgumentParser
import CloverAPI
import CloverCore

/// `clover put`.
struct Put: CloverCommand {
    static let configuration = CommandConfiguration(
        commandName: "put",
        abstract: "Replace a record, on the few paths that support PUT",
        discussion: """
            Examples:
              clover put item_stocks ITEM_ID --field quantity=12
              clover put bulk_items --input items.json
              clover put item_stocks/ITEM_ID --field quantity=12 --dry-run

            Clover changes records with POST; for the paths that support PUT, run 'clover endpoints --method PUT'. \
            Everything else is as in 'clover post', except that a PUT is sent again if its response is lost, because \
            doing it twice has the same effect as once.

            Exit statuses:
              0   done
              64  wrong usage, or the service refused what was sent
              65  a body is not JSON, or the jq program failed
              66  not found
              69  not reached, or failed; stderr says whether it may have been done
              75  the service still limits requests after retries
              76  the response is not JSON, or was cut off
              77  not signed in, or not allowed
              79  with --each, every line is done, but a response is incomplete
              80  outcome unknown, and money may have moved
              82  with --each, some or all lines failed; each shows why
              83  --max-time ran out
            """
    )

    @Argument(help: ArgumentHelp("Where to put, such as item_stocks/ID.", valueName: "path"), completion: .asked)
    var path: String

    @Argument(help: ArgumentHelp("Replace the record with this ID.", valueName: "id"))
    var identifier: String?

    @OptionGroup
    var content: BodyOptions

    @OptionGroup
    var answer: AnswerOptions

    func run(in environment: CommandEnvironment) async throws -> Int32 {
        var request = WriteRequest(.put, path: path, identifier: identifier, connection: answer.connection.choice)
        try content.apply(to: &request)
        return try await answer.send(request, in: environment)
    }
}

import ArgumentParser
import CloverAPI
import CloverCore
import CloverHTTP

struct Delete: CloverCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete records of a merchant",
        discussion: """
            Examples:
              clover delete items ITEM_ID
              clover delete items --param itemIds=A,B --yes
              clover delete 'items/{id}' --each --yes <ids.ndjson

            On a terminal, asks for confirmation. Elsewhere, anything that deletes more than the one record of an ID \
            needs --yes: a path without an ID, query parameters, and --each.

            With --each, a line is an object whose fields fill the names in braces in PATH, or a JSON string if there \
            is only one name; no body is sent. If the response to a DELETE is lost, it is sent again; if it then finds \
            nothing, it is done.

            Exit statuses:
              0   done
              64  wrong usage, or the service refused what was sent
              65  the jq program failed
              66  not found
              69  not reached, or failed; stderr says whether it may have been done
              75  the service still limits requests after retries
              76  the response is not JSON, or was cut off
              77  not signed in, or not allowed
              79  with --each, every line is done, but a response is incomplete
              80  outcome unknown, and money may have moved
              81  the confirmation was declined
              82  with --each, some or all lines failed; each shows why
              83  --max-time ran out
            """
    )

    @Argument(
        help: ArgumentHelp("Path to delete, such as items or orders/ID/line_items/ID.", valueName: "path"),
        completion: .asked)
    var path: String

    @Argument(help: ArgumentHelp("Delete only the record with this ID.", valueName: "id"))
    var identifier: String?

    @OptionGroup(title: "What to send")
    var lines: LinesInputOption

    @OptionGroup(title: "What to send")
    var sending: RequestOptions

    @Flag(name: [.customShort("y"), .long], help: "Delete without confirmation.")
    var yes = false

    @OptionGroup
    var answer: WriteOptions

    var messages: MessageOptions { answer.messages }

    func validate() throws {
        if lines.input != nil, !sending.each {
            throw ValidationError("a DELETE has no body: --input goes with --each here")
        }
    }

    func run(in environment: CommandEnvironment) async throws -> Int32 {
        var request = WriteRequest(
            method: .delete, path: path, identifier: identifier, connection: answer.connection.choice)
        try sending.apply(to: &request)
        request.input = lines.input
        request.isConfirmed = yes
        return try await answer.send(request, in: environment)
    }
}

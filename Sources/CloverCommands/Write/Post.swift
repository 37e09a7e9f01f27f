import ArgumentParser
import CloverAPI
import CloverCore

/// `clover post`.
struct Post: CloverCommand {
    static let configuration = CommandConfiguration(
        commandName: "post",
        abstract: "Create or change a record of a merchant",
        discussion: """
            Examples:
              clover post items --field name=Latte --field price=450
              clover post items ITEM_ID --field hidden=true
              clover post 'items/{id}' --each <changes.ndjson

            PATH is relative to the merchant (items, orders/ID/line_items) or absolute (/v3/..., /v2/...); {mId} is \
            filled in. With an ID, the record is changed: only the fields that are sent.

            --field converts the value to the type of the field if it is known: price=450 is a number, code=007 a \
            string. Otherwise, as in gh, true, false, null, numbers, and whole JSON objects and arrays are converted; \
            anything else is a string. Fields nest with dots or brackets (employee.id=X, employee[id]=X); name[]=X adds \
            an entry to a list. Without a body, {} is sent.

            With --each, every line is a body, whose fields also fill the names in braces in PATH. Each line gives one \
            line of output: {"line":1,"ok":true,"status":200,"result":{...}}, or "ok" false and an error. If "ok" is \
            true and "outcome" is answer_incomplete, the line is done, and its response was cut off. A line that the \
            service refuses, or that is malformed, does not end the run. A lost response, a refused token or a similar \
            failure ends it with its own status; the message says where to continue.

            Every body is checked against its model before it is sent. Unknown fields and values that do not fit are \
            refused; to send them anyway, add --no-check.

            A POST is sent again only if it cannot have been carried out.

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

    @Argument(
        help: ArgumentHelp("Where to post, such as items or orders/ID/line_items.", valueName: "path"),
        completion: .asked)
    var path: String

    @Argument(help: ArgumentHelp("Change the record with this ID.", valueName: "id"))
    var identifier: String?

    @OptionGroup
    var content: BodyOptions

    @OptionGroup
    var answer: AnswerOptions

    func run(in environment: CommandEnvironment) async throws -> Int32 {
        var request = WriteRequest(.post, path: path, identifier: identifier, connection: answer.connection.choice)
        try content.apply(to: &request)
        return try await answer.send(request, in: environment)
    }
}

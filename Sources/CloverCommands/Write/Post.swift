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

            PATH is relative to the merchant (items, orders/ID/line_items) or absolute (/v3/..., /v2/...); {mId} is filled \
            in. With an ID the record is changed: only the fields that are sent.

            --field takes the type of the field where it is known: price=450 is a number, code=007 a string. Otherwise, as \
            with gh: true, false, null and numbers are those, also whole JSON objects and arrays, the rest are strings. \
            Fields nest with dots or brackets (employee.id=X, employee[id]=X); name[]=X adds an entry to a list. Without \
            any body, {} is sent.

            With --each every line is a body; a field of it fills a name in braces in PATH. Each gives a line of output: \
            {"line":1,"ok":true,"status":200,"result":{...}}, or with ok false and an error. With ok true and outcome \
            answer_incomplete the line is done, and its answer was cut off. A line that the service refuses, or that does \
            not fit, does not end the run; a lost answer, a refused token and the like do, with their own status, and the \
            message says where to go on.

            Bodies are compared with their model before they are sent, however they come: unknown fields and values that \
            do not fit are refused, unless with --no-check.

            A POST is sent again only when it cannot have been carried out.

            Exit statuses:
              0   done
              64  wrong usage, or the service refused what was sent
              65  a body is not JSON, or the jq program failed
              66  not found
              69  not reached, or failed; stderr says whether it may be done
              75  the service still limits us after retries
              76  the answer is no JSON, or was cut off
              77  not signed in, or not allowed
              79  with --each, every line is done, but an answer is incomplete
              80  outcome unknown, and money may have moved
              82  with --each, some or all lines failed; each says why
              83  --max-time ran out
            """
    )

    @Argument(
        help: ArgumentHelp("Where to, such as items or orders/ID/line_items.", valueName: "path"), completion: .asked)
    var path: String

    @Argument(help: ArgumentHelp("One record of it.", valueName: "id"))
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

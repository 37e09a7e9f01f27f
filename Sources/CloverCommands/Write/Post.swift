import ArgumentParser
import CloverAPI
import CloverCore
import CloverHTTP

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
        help: ArgumentHelp("Path to post to, such as items or orders/ID/line_items.", valueName: "path"),
        completion: .asked)
    var path: String

    @Argument(help: ArgumentHelp("Change the record with this ID.", valueName: "id"))
    var identifier: String?

    @OptionGroup
    var content: BodyOptions

    @OptionGroup
    var answer: WriteOptions

    var messages: MessageOptions { answer.messages }

    func validate() throws { try BodyAsIdentifier.check(identifier, .post, path) }

    func run(in environment: CommandEnvironment) async throws -> Int32 {
        var request = WriteRequest(
            method: .post, path: path, identifier: identifier, connection: answer.connection.choice)
        try content.apply(to: &request)
        return try await answer.send(request, in: environment)
    }
}

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

    @Argument(help: ArgumentHelp("Path to put to, such as item_stocks/ID.", valueName: "path"), completion: .asked)
    var path: String

    @Argument(help: ArgumentHelp("Replace the record with this ID.", valueName: "id"))
    var identifier: String?

    @OptionGroup
    var content: BodyOptions

    @OptionGroup
    var answer: WriteOptions

    var messages: MessageOptions { answer.messages }

    func validate() throws { try BodyAsIdentifier.check(identifier, .put, path) }

    func run(in environment: CommandEnvironment) async throws -> Int32 {
        var request = WriteRequest(
            method: .put, path: path, identifier: identifier, connection: answer.connection.choice)
        try content.apply(to: &request)
        return try await answer.send(request, in: environment)
    }
}

/// What to send: a body from fields, from a file, or from lines.
struct BodyOptions: ParsableArguments {
    @OptionGroup(title: "What to send")
    var fields: FieldOptions

    @OptionGroup(title: "What to send")
    var source: BodyInputOption

    @OptionGroup(title: "What to send")
    var sending: RequestOptions

    func validate() throws {
        guard !fields.field.isEmpty || !fields.rawField.isEmpty else { return }
        if sending.each { throw ValidationError("--field and --each exclude each other: each line is a whole body") }
        if source.input != nil { throw ValidationError("--field and --input exclude each other") }
    }

    func apply(to request: inout WriteRequest) throws {
        try sending.apply(to: &request)
        request.input = source.input
        request.fields = try fields.arguments()
    }
}

/// Options for the fields of a body.
struct FieldOptions: ParsableArguments {
    @Option(
        name: [.customShort("F"), .long], parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Set a field: price=1250, employee.id=X, ids[]=X; @FILE reads the value from a file, @- from standard input.",
            valueName: "name=value"))
    var field: [String] = []

    @Option(
        name: [.customShort("f"), .customLong("raw-field")], parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Set a field to a string, without converting it.", valueName: "name=value"))
    var rawField: [String] = []

    func validate() throws {
        // Other malformed fields are refused along with the body's other errors.
        for text in field + rawField where text.isEmpty {
            throw ValidationError("a field is written as name=value")
        }
    }

    /// The fields, typed ones first: ArgumentParser does not keep the order between the two options.
    func arguments() throws -> [FieldArgument] {
        try field.map { try FieldArgument(parsing: $0, isRaw: false) }
            + rawField.map { try FieldArgument(parsing: $0, isRaw: true) }
    }
}

/// The file with a body, or with a body on each line.
struct BodyInputOption: ParsableArguments {
    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Read the body from this file; - for standard input.", valueName: "file"),
        completion: .file())
    var input: String?

    func validate() throws { try InputArgument.check(input) }
}

/// The file whose lines name the records to delete.
struct LinesInputOption: ParsableArguments {
    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("With --each, read the lines from this file; - for standard input.", valueName: "file"),
        completion: .file())
    var input: String?

    func validate() throws { try InputArgument.check(input) }
}

private enum InputArgument {
    static func check(_ input: String?) throws {
        if input == "" { throw ValidationError("--input takes a file, or - for standard input") }
    }
}

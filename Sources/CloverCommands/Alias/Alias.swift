import ArgumentParser
import CloverAPI
import CloverCore
import CloverJSON
import CloverSystem

struct Alias: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "alias",
        abstract: "Give command lines names of your own",
        discussion: """
            Examples:
              clover alias set today "get orders --filter createdTime>=today"
              clover alias list
              clover alias delete today

            'clover today --limit 5' then runs 'clover get orders --filter createdTime>=today --limit 5'. $1 to $9 in a \
            command line stand for the words after the alias; words that none of them names follow at the end. An \
            alias cannot have the name of a command, and cannot use another alias.

            For more than a command line, put a program named clover-NAME on PATH: 'clover NAME' runs it. It gets no \
            token; the clover that it calls uses the stored sign-in.
            """,
        subcommands: [Set.self, List.self, Delete.self]
    )
}

extension Alias {
    struct Set: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Add an alias, or change one",
            discussion: """
                Examples:
                  clover alias set today "get orders --filter createdTime>=today"
                  clover alias set order 'get orders $1 --expand lineItems'
                  clover alias set takings "report tenders --period yesterday"

                COMMAND is one argument: a command line without 'clover'. Quotes in it keep words together; no other \
                syntax of a shell is supported. Do not put secrets into it.
                """
        )

        @Argument(help: "The name: lower-case letters, digits and hyphens.")
        var name: String

        @Argument(help: "The command line that it stands for, as one argument.")
        var command: String

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            guard AliasExpansion.isName(name) else { throw AliasError.badName(name) }
            guard !AliasExpansion.isCommand(name) else { throw AliasError.command(name) }
            let (words, isClosed) = CommandLineSplitter.split(command)
            // A line break would begin another alias.
            guard isClosed, !command.contains(where: \.isNewline) else { throw AliasError.openQuote(command) }
            guard let first = words.first, AliasExpansion.isCommand(first) else {
                throw AliasError.notACommand(words.first ?? "")
            }
            let file = try AliasFile(variables: environment.variables)
            let entry = AliasFile.Entry(name: name, command: command)
            try await DedicatedThread.run { () throws(AliasError) in try file.set(entry) }
            environment.diagnostics.notice("'clover \(name)' now runs 'clover \(command)'")
            return 0
        }
    }

    struct List: OwnRecordCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the aliases",
            discussion: """
                Examples:
                  clover alias list
                  clover alias list --jq .alias -r
                  clover alias list --format csv

                Prints one JSON object for each alias, or a table on a terminal.
                """
        )

        @OptionGroup(title: "What to print")
        var output: RecordOutputOptions

        @OptionGroup(title: "Messages")
        var paging: PagingOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let environment = paging.applied(to: environment)
            let entries = try AliasFile(variables: environment.variables).read()
            let lines = entries.map { entry in
                var line = JSONLine()
                line.add("alias", entry.name)
                line.add("command", entry.command)
                return line.text
            }
            let list = OwnList(lines: lines, columns: ["alias", "command"])
            return try await list.print(output, messages, in: environment) { _ in
                guard entries.isEmpty else {
                    let rows = entries.map { [$0.name, Diagnostics.printable($0.command)] }
                    return AlignedRows.text(head: ["ALIAS", "COMMAND"], rows, in: environment)
                }
                environment.diagnostics.notice("there are no aliases; to add one: clover alias set NAME COMMAND")
                return TextPage("")
            }
        }
    }

    struct Delete: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete",
            abstract: "Delete an alias",
            discussion: """
                Examples:
                  clover alias delete today
                  clover alias delete today --quiet
                  clover alias list --jq .alias -r | xargs -n 1 clover alias delete

                Exits with 66 if there is no such alias.
                """
        )

        @Argument(help: "The name of the alias.")
        var name: String

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let file = try AliasFile(variables: environment.variables)
            let name = name
            try await DedicatedThread.run { () throws(AliasError) in try file.delete(name) }
            environment.diagnostics.notice("the alias '\(name)' is deleted")
            return 0
        }
    }
}

extension ErrorReport {
    init(_ error: AliasError) {
        switch error {
        case .storage(let error): self.init(error)
        case .malformed(let path, let line):
            self.init(
                "bad_alias", .configuration, "\(path), line \(line), is not NAME = COMMAND",
                "correct or delete the line")
        case .badName(let name):
            self.init(
                "bad_alias", .usage, "'\(name)' cannot be the name of an alias",
                "a name is lower-case letters, digits and hyphens, and begins with a letter")
        case .command(let name):
            self.init("bad_alias", .usage, "'\(name)' is a command, so an alias cannot have its name")
        case .notACommand(let word):
            self.init(
                "bad_alias", .usage, "the command line of an alias begins with a command of clover, not with '\(word)'",
                "write it as one argument, without 'clover': clover alias set today \"get orders --limit 5\"")
        case .openQuote(let command):
            self.init("bad_alias", .usage, "'\(command)' has a quote that is not closed, or more than one line")
        case .unknown(let name, let known):
            self.init("not_found", .notFound, "there is no alias '\(name)'")
            let near = NearestNames.of(name, among: known)
            hints =
                near.isEmpty ? ["to list them: clover alias list"] : ["did you mean: " + near.joined(separator: ", ")]
        case .argumentMissing(let alias, let command, let number):
            self.init(
                "usage", .usage, "the alias '\(alias)' needs \(number == 1 ? "a word" : "\(number) words") after it",
                "it runs: clover \(command)")
        }
    }
}

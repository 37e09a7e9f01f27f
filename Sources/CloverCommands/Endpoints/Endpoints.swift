import ArgumentParser
import CloverAPI
import CloverCore

/// `clover endpoints`.
struct Endpoints: CloverCommand {
    static let configuration = CommandConfiguration(
        commandName: "endpoints",
        abstract: "List what Clover's API offers, or explain one path of it",
        discussion: """
            Examples:
              clover endpoints orders
              clover endpoints orders/{orderId}/line_items
              clover endpoints --method POST --json | jq -r .path

            Without PATH, lists every operation; with a family (orders, items, customers), its operations and what can \
            be expanded, filtered and sorted; with a path, everything that is known about it. A path may contain IDs \
            or names in braces, or be a name from Clover's iOS SDK, such as merchant-orders. Nothing is sent: the data \
            comes from the program's own catalogue.

            Prints one JSON object for each operation, or a table on a terminal.
            """
    )

    @Argument(
        help: ArgumentHelp("A family such as orders, or a path such as orders/{orderId}.", valueName: "path"),
        completion: .asked)
    var path: String?

    @Option(name: .long, help: ArgumentHelp("List only operations with this method.", valueName: "method"))
    var method: Endpoint.Method?

    @OptionGroup(title: "Messages")
    var paging: PagingOptions

    @OptionGroup(title: "Messages")
    var messages: MessageOptions

    func run(in environment: CommandEnvironment) async throws -> Int32 {
        let environment = paging.applied(to: messages.applied(to: environment))
        let selection = try EndpointSelection(path, method: method)
        if environment.terminal.isOutputTerminal, !messages.json {
            try await StandardOutput.show(EndpointText.page(selection, in: environment), in: environment)
        } else {
            let lines = selection.operations.map { EndpointText.json($0).text + "\n" }
            try await StandardOutput.print(lines.joined(), in: environment)
        }
        return 0
    }
}

extension Endpoint.Method: ExpressibleByArgument {
    /// Accepts any case: `get`, `GET`.
    package init?(argument: String) {
        self.init(rawValue: argument.uppercased())
    }
}

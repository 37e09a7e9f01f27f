import ArgumentParser

extension Charge {
    /// `clover charge square`.
    struct Square: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "square",
            abstract: "Hand a payment to the Square app, and read its response",
            discussion: """
                Examples:
                  clover charge square request --client-id ID --callback-url my-app://paid \\
                    --amount 12.50 --currency USD --state table-9
                  clover charge square response \\
                    'my-app://paid/square_request?data=%7B%22status%22%3A%22ok%22%7D'
                  clover charge square errors

                The Square app takes the payment, on a phone or tablet. 'request' makes the URL that opens it, as \
                Square's own SDK does; 'response' reads the URL by which the app responds. Nothing is sent to any \
                server: the journal of charges keeps each request and its outcome.
                """,
            subcommands: [Request.self, Response.self, Errors.self, Listen.self, Settle.self]
        )
    }
}

import ArgumentParser

/// A local Clover: try-out, test bed, and what users put in their own CI.
@main
struct Main: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clover-emulator",
        abstract: "A local Clover merchant to try things out and to test against",
        discussion: """
            Example: clover-emulator serve --orders 1000 --fault 503-html:0.1

            It listens on 127.0.0.1 only, keeps nothing unless told to, and talks to nobody.
            """,
        subcommands: [ServeCommand.self, ReaderDriverCommand.self])
}

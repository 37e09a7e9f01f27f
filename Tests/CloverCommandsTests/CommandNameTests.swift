import ArgumentParser
import CloverCommands
import Testing

@Suite("Names of commands")
struct CommandNameTests {
    /// A command and all below it.
    private func tree(_ command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
        [command] + command.configuration.subcommands.flatMap { tree($0) }
    }

    @Test("every command's configuration sets its name, which ArgumentParser would otherwise derive at each start")
    func areGiven() {
        let commands = tree(Clover.self)
        #expect(commands.count > 40)
        #expect(commands.filter { $0.configuration.commandName == nil }.map { "\($0)" } == [])
    }
}

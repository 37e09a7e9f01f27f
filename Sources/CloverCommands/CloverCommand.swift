package import ArgumentParser
package import CloverCore

/// A command that gets everything it depends on from the environment passed to it.
///
/// Set `commandName` in the configuration: deriving it from the type name takes ArgumentParser longer than parsing.
package protocol CloverCommand: ParsableCommand {
    /// Runs the command. The process exits with the returned status, or with the status of the thrown error.
    func run(in environment: CommandEnvironment) async throws -> Int32
}

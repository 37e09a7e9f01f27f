package import ArgumentParser
package import CloverCore

/// A command that works in an environment handed in by the program, instead of reaching for the world itself.
///
/// Its configuration has its name: ArgumentParser would make it from the type's, which takes longer than to parse.
package protocol CloverCommand: ParsableCommand {
    /// Runs the command; the process ends with the status that is returned, or with the one of the error.
    func run(in environment: CommandEnvironment) async throws -> Int32
}

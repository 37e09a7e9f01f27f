import ArgumentParser
import CloverAuth
import CloverCore
import CloverExport
import CloverOutput

extension Export {
    /// `clover export forget`.
    struct Forget: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "forget",
            abstract: "Stop watching the exports to a directory that is no longer exported to",
            discussion: """
                Examples:
                  clover export forget ~/exports
                  clover export forget /mnt/usb/clover
                  clover export forget -

                'clover export status' then shows them no longer, until they run again. Nothing in the directory \
                changes, and how far the export got stays known: the next run continues from there. Name standard output \
                as -. The address of a PostgreSQL database stands for its schemas of --profiles, too.

                Exit statuses:
                  0   done
                  64  wrong usage
                  66  no export to it is known
                """
        )

        @Argument(
            help: ArgumentHelp("Directory of the exports, or - for standard output.", valueName: "destination"),
            completion: .directory)
        var destination: String

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func validate() throws {
            try DatabaseAddress.check(destination == "-" ? nil : destination, of: "the destination")
        }

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let address = try ObjectAddress.located(destination, of: "the destination", in: environment)?.name
            let count = try await ExportStatus.forget(address ?? destination, in: environment.stateDirectory())
            guard count > 0 else { throw ExportFailure.nothingExported(directory: destination) }
            if environment.terminal.isErrorTerminal {
                environment.diagnostics.notice(
                    "no longer watching \(count) \(count == 1 ? "export" : "exports"); the files stay")
            }
            return 0
        }
    }
}

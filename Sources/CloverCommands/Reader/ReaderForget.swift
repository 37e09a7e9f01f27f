import ArgumentParser
import CloverCore
import CloverReaders

extension ReaderCommand {
    struct Forget: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "forget",
            abstract: "Forget readers that were connected before",
            discussion: """
                Examples:
                  clover reader forget Clover_Go_630094
                  clover reader forget D4:22:CD:00:9A:11
                  clover reader forget --all

                Forgets only what clover stores about them; their Bluetooth pairing stays.
                """
        )

        @Argument(help: ArgumentHelp("IDs or names of readers.", valueName: "id"), completion: .asked)
        var readers: [String] = []

        @Flag(help: "Forget all readers.")
        var all = false

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func validate() throws {
            for reader in readers { try ReaderCommand.check(reader) }
            if readers.isEmpty != all { throw ValidationError("give the ID of a reader, or --all") }
        }

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let known = KnownReaders(environment)
            var forgotten = all ? try await known.all() : []
            for reader in readers {
                let found = try await known.readers(named: reader)
                if found.isEmpty { throw ReaderError.unknownReader(reader) }
                forgotten += found.filter { !forgotten.contains($0) }
            }
            try await known.forget(forgotten)
            environment.diagnostics.notice(
                forgotten.isEmpty
                    ? "no reader was stored" : "forgotten: " + Self.labels(forgotten).joined(separator: ", "))
            return 0
        }

        /// The labels without duplicates, in order: a reader may be stored once for each transport.
        private static func labels(_ readers: [KnownReader]) -> [String] {
            readers.map(\.reader.label).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
        }
    }
}

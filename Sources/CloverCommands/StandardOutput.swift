import CloverCore
import CloverRecords

/// Text of a command's own on standard output; records have their own way there.
enum StandardOutput {
    static func print(_ text: String, in environment: CommandEnvironment) async throws {
        try await environment.standardOutput.write(Array(text.utf8))
    }
}

import CloverTestSupport
import Foundation
import Synchronization
import Testing

/// Everything that commands showed to anybody but the one who asked for a token, to be searched for secrets at the end.
final class CanaryEvidence: Sendable {
    private struct Seen {
        var texts: [(origin: String, text: String)] = []
        var secrets: Set<String> = []
    }

    private let seen = Mutex(Seen())
    let sandbox: Sandbox
    private let relay: RecordingRelay

    init(_ sandbox: Sandbox, _ relay: RecordingRelay) {
        self.sandbox = sandbox
        self.relay = relay
    }

    /// How many texts were seen.
    var count: Int { seen.withLock { $0.texts.count } }

    /// Something that must not be seen anywhere.
    func plant(_ secret: String) { seen.withLock { _ = $0.secrets.insert(secret) } }

    func add(_ origin: String, _ text: String) { seen.withLock { $0.texts.append((origin, text)) } }

    /// Keeps what a command showed; `givesToken` leaves out its standard output, which is a token by design.
    @discardableResult
    func add(_ result: CommandResult, givesToken: Bool = false) -> CommandResult {
        let name = result.arguments.dropFirst().joined(separator: " ")
        add("stderr of clover \(name)", result.errorText)
        if !givesToken { add("stdout of clover \(name)", result.outputText) }
        return result
    }

    /// Runs a command and keeps what it showed. The tokens that are kept afterwards must not be seen either.
    @discardableResult
    func run(
        _ arguments: [String], input: CommandRunner.Input = .nothing, in other: Sandbox? = nil, givesToken: Bool = false
    ) async throws -> CommandResult {
        let sandbox = other ?? sandbox
        let result = add(try await sandbox.clover(arguments: arguments, input: input), givesToken: givesToken)
        plantKeptTokens(sandbox)
        return result
    }

    /// A token that never passed the relay, such as a static one, is in its file only.
    func plantKeptTokens(_ sandbox: Sandbox) {
        for file in sandbox.credentialFiles() {
            // Some of the files are damaged on purpose.
            guard let bytes = try? sandbox.directory.read(file) else { continue }
            let text = String(decoding: bytes, as: UTF8.self)
            for match in text.matches(of: /"(?:accessToken|refreshToken)":"([^"]{6,})"/) { plant(String(match.1)) }
        }
    }

    /// Every secret there was.
    func secrets() throws -> [String] {
        let sent = try relay.secrets()
        return seen.withLock(\.secrets).union(sent).filter { $0.utf8.count >= 6 }.sorted()
    }

    /// Expects that no secret is in anything that was seen, in any address that was asked for, and in any file but the
    /// credentials themselves and `inputs`, the test's own.
    func expectNothingLeaked(inputs: Set<String>, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let secrets = try secrets()
        for exchange in try relay.exchanges() { add("an address", exchange.target) }
        for file in sandbox.directory.files(below: ".") {
            let name = String(file.dropFirst(2))
            let path = sandbox.directory[name]
            let mode = try mode(of: path)
            let isCredential = name.contains(/\/credentials\/[^\/]*_[^\/]*_[^\/.]*\.json$/)
            if isCredential || name.contains(/credentials/) {
                #expect(mode & 0o077 == 0, "\(name)", sourceLocation: sourceLocation)
            }
            if isCredential || inputs.contains(name) { continue }
            guard FileManager.default.isReadableFile(atPath: path), !name.hasSuffix("keyboard") else { continue }
            add("file \(name)", String(decoding: try sandbox.directory.read(name), as: UTF8.self))
        }
        for (origin, text) in seen.withLock(\.texts) {
            for secret in secrets {
                let found = text.contains(secret)
                #expect(!found, "\(secret.prefix(12))... in \(origin)", sourceLocation: sourceLocation)
            }
        }
    }
}

import CloverTestSupport
import Foundation
import Testing

/// What a credential file holds.
struct KeptTokens: Equatable, Sendable {
    let access: String
    let refresh: String?
    let generation: Int

    var pair: RecordingRelay.Pair? { refresh.map { RecordingRelay.Pair(access: access, refresh: $0) } }
}

extension Sandbox {
    /// The paths of the credential files, relative to the sandbox, without journals and locks.
    func credentialFiles() -> [String] {
        directory.files(below: stateFolder + "/credentials").filter {
            $0.hasSuffix(".json") && !$0.hasSuffix(".refresh.json")
        }
    }

    /// The path of the only credential file of an OAuth sign-in.
    func tokenFile() throws -> String {
        let files = credentialFiles()
        try #require(files.count == 1, "\(directory.files(below: stateFolder))")
        return files[0]
    }

    /// The path of the journal of a refresh, whether there is one or not.
    func journalFile() throws -> String { try tokenFile().dropLast(".json".count) + ".refresh.json" }

    /// The journal's JSON; nil when there is none.
    func journal() throws -> JSONValue? {
        let file = try journalFile()
        guard FileManager.default.fileExists(atPath: directory[file]) else { return nil }
        return try JSONValue(String(decoding: try directory.read(file), as: UTF8.self))
    }

    /// Reads the only credential; throws when it is not whole.
    func keptTokens() throws -> KeptTokens {
        let text = String(decoding: try directory.read(try tokenFile()), as: UTF8.self)
        let value = try JSONValue(text)
        guard value["version"]?.integer == 1, let access = value["accessToken"]?.string else {
            throw CommandError.unreadable(text)
        }
        return KeptTokens(
            access: access, refresh: value["refreshToken"]?.string, generation: value["generation"]?.integer ?? 0)
    }

    /// Lets the kept access token be long over, by its own file; the service would still take it.
    func expireAccessToken() throws {
        try editCredential { text in
            text.replacing(/"accessTokenExpires"\s*:\s*[0-9]+/, with: #""accessTokenExpires":1000000000"#)
        }
    }

    /// Puts a token in the place of the kept access token that the service never issued.
    func spoilAccessToken() throws {
        let kept = try keptTokens()
        try editCredential { $0.replacing(kept.access, with: "spoilt-" + String(kept.access.reversed())) }
    }

    func editCredential(_ change: (String) -> String) throws {
        let file = try tokenFile()
        let text = String(decoding: try directory.read(file), as: UTF8.self)
        let changed = change(text)
        try #require(changed != text)
        try directory.overwrite(file, Array(changed.utf8))
    }

    /// The name of the state folder inside the sandbox.
    var stateFolder: String {
        let path = variables["CLOVER_STATE_DIR"] ?? ""
        return path.hasPrefix(directory.path + "/") ? String(path.dropFirst(directory.path.count + 1)) : "state"
    }

    /// The same with a separate state folder, for another user or a new start.
    func withState(_ name: String) -> Sandbox { with(["CLOVER_STATE_DIR": directory[name]]) }
}

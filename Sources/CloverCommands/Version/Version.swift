import ArgumentParser
import CloverCore
import CloverDatabase
import CloverHTTP
import CloverJSON
import CloverOutput
import CloverSystem

struct Version: CloverCommand {
    static let configuration = CommandConfiguration(
        commandName: "version",
        abstract: "Print the version, the commit it was built from, and the libraries in use",
        discussion: """
            Examples:
              clover version
              clover version --json | jq -r .libraries.libcurl
              clover --version

            Prints one JSON object, or text on a terminal. The libraries are those of this machine that the program \
            runs with; null is a library that cannot be loaded. Name all of it when you report a problem. 'clover \
            --version' prints the version alone.
            """
    )

    @OptionGroup(title: "Messages")
    var messages: MessageOptions

    func run(in environment: CommandEnvironment) async throws -> Int32 {
        let facts = VersionFacts(
            version: CloverVersion.text, commit: CloverVersion.commit,
            libraries: try await Self.libraries(in: environment))
        let isText = environment.terminal.isOutputTerminal && !messages.json
        try await StandardOutput.print(isText ? facts.text : facts.json.text + "\n", in: environment)
        return 0
    }

    /// Names and versions; first those that the program needs itself, then those that libcurl was built with.
    private static func libraries(in environment: CommandEnvironment) async throws -> [VersionFacts.Library] {
        var curl: [VersionFacts.Library] = [.init(name: "libcurl", version: nil)]
        do throws(HTTPTransportError) {
            curl = VersionFacts.libraries(ofTransport: try environment.transportVersion())
        } catch {
            environment.diagnostics.detail("\(error)")
        }
        return [
            .init(name: "libjq", version: try await JQVersion.found(environment.standardOutput)),
            .init(name: "libsqlite3", version: StateDatabase.libraryVersion),
        ] + curl
    }
}

/// What `clover version` prints.
struct VersionFacts: Sendable, Equatable {
    struct Library: Sendable, Equatable {
        let name: String
        /// Nil if the library cannot be loaded.
        let version: String?
    }

    let version: String
    let commit: String?
    let libraries: [Library]

    var json: JSONLine {
        var line = JSONLine()
        line.add("version", version)
        line.add("commit", commit)
        var object = JSONLine()
        for library in libraries { object.add(library.name, library.version) }
        line.add("libraries", json: object.text)
        return line
    }

    var text: String {
        let width = libraries.reduce(0) { max($0, $1.name.count) }
        let lines = libraries.map {
            "  " + AlignedRows.padded($0.name, width) + "  " + ($0.version ?? "cannot be loaded")
        }
        return (["clover \(version)", "commit \(commit ?? "unknown")", "libraries"] + lines)
            .map { $0 + "\n" }.joined()
    }

    /// - Parameter text: libcurl's own words, such as `libcurl/7.88.1 OpenSSL/3.0.17 libpsl/0.21.2 (+libidn2/2.3.3)`. What is
    ///   in brackets is another library's, and of a name that comes twice, the first counts.
    static func libraries(ofTransport text: String) -> [Library] {
        var found: [Library] = []
        for part in text.split(separator: " ") {
            let pair = part.split(separator: "/", maxSplits: 1).map(String.init)
            guard pair.count == 2, pair[0].first?.isLetter == true, !found.contains(where: { $0.name == pair[0] })
            else { continue }
            found.append(Library(name: pair[0], version: pair[1]))
        }
        return found
    }
}

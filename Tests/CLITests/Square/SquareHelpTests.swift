import CloverTestSupport
import Testing

@Suite("charge square: help")
struct SquareHelpTests {
    /// The examples of a help page, each a line of shell.
    private func examples(_ page: String) throws -> [String] {
        let lines = page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let start = try #require(lines.firstIndex(of: "Examples:"))
        let shown = lines[(start + 1)...].prefix { !$0.isEmpty }.joined(separator: "\n")
        return shown.replacing(#/ *\\\n */#, with: " ").split(separator: "\n").map { String($0.drop { $0 == " " }) }
    }

    @Test(
        "every page has three examples that work as they stand", arguments: [[], ["request"], ["response"], ["errors"]])
    func examplesWork(_ command: [String]) async throws {
        try await Sandbox.run { sandbox in
            let page = try await sandbox.clover(arguments: ["help", "charge", "square"] + command, input: .nothing)
            expectSuccess(page)
            let line = #"{"id":1,"clientId":"a","amount":100,"currency":"USD","callbackUrl":"x://"}"# + "\n"
            try sandbox.directory.write("requests.ndjson", line.utf8)
            try sandbox.directory.write("urls.txt", (try SquareCallback.url(SquareCallback.paid) + "\n").utf8)
            let examples = try examples(page.outputText)
            #expect(examples.count == 3, "\(examples)")
            for example in examples {
                let result = try await sandbox.shell("set -o pipefail; \(example)")
                // No request of the journal waits for the payment of an example.
                let statuses: [Int32] = command == ["response"] || example.contains("response") ? [0, 80] : [0]
                #expect(statuses.contains(result.status) && !result.output.isEmpty, "\(example): \(result)")
            }
        }
    }

    @Test("the examples of listen listen")
    func listening() async throws {
        try await Sandbox.run { sandbox in
            let page = try await sandbox.clover(arguments: ["help", "charge", "square", "listen"], input: .nothing)
            let examples = try examples(page.outputText)
            #expect(examples.count == 3, "\(examples)")
            for example in examples {
                #expect(example.contains("--state table-9"))
                let result = try await sandbox.shell("\(example) --port 0 --timeout 100ms")
                #expect(result.status == 75 && result.errorText.contains("waiting for"), "\(example): \(result)")
            }
        }
    }
}

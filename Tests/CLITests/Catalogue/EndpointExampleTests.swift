import CloverTestSupport
import Foundation
import Testing

/// `clover endpoints` for each operation there is.
@Suite("endpoints: every operation explained")
struct EndpointExampleTests {
    @Test("each of the 256 operations has an explanation, and its example can be run: writes with --dry-run")
    func examples() async throws {
        try await CatalogueShop.run { shop in
            let result = try await shop.sandbox.clover("endpoints")
            expectSuccess(result)
            let operations = try result.lines.map { try CatalogueOperation(line: $0) }
            #expect(operations.count == 256)
            try await shop.forEach(operations) { operation in
                // The terminal does not tell its width.
                let terminal = try shop.sandbox.startOnTerminal(
                    ["endpoints", operation.path, "--method", operation.method], columns: 0, rows: 0)
                let shown = try await terminal.result()
                #expect(shown.status == 0, "\(shown)")
                let text = shown.terminalText
                #expect(text.hasPrefix("\(operation.method) \(operation.shortPath)\n"), "\(text)")
                #expect(text.filter { !$0.isWhitespace }.contains(operation.path), "\(text)")
                for name in operation.filterNames { #expect(text.contains(name), "\(operation): \(name)") }
                for note in operation.notes { #expect(text.words.contains(note.words), "\(operation): \(note)") }
                // A long line goes on in the next one, as it does in a shell.
                let example = text.replacing(/[ ]\\\r?\n +/, with: " ").split(separator: "\n").first {
                    $0.hasPrefix("  example ")
                }
                .map { $0.dropFirst("  example ".count).trimmingCharacters(in: .whitespaces) }
                // Other services than V3 have other hosts: nothing here calls them by their paths.
                #expect((example == nil) == text.contains("\n  address "), "\(text)")
                #expect(operation.api != "v3" || example != nil, "\(text)")
                guard let example else { return }
                guard operation.api == "v3" else { return #expect(example.hasPrefix("clover auth "), "\(example)") }
                #expect(example.hasPrefix("clover \(operation.method.lowercased()) "), "\(example)")
                if operation.method == "GET" {
                    try await run(example, of: operation, in: shop)
                } else {
                    try await show(example, of: operation, in: shop)
                }
            }
        }
    }

    /// Runs the example as it stands, with ids in the places of `ORDER_ID` and the like.
    private func run(_ example: String, of operation: CatalogueOperation, in shop: CatalogueShop) async throws {
        let path = try #require(try await shop.concrete(operation.shortPath).first)
        var line = example
        for (name, id) in zip(operation.shortPath.split(separator: "/"), path.split(separator: "/"))
        where name.first == "{" && name != "{mId}" {
            let word = name.dropFirst().dropLast().reduce(into: "") { word, character in
                word += character.isUppercase ? "_\(character)" : character.uppercased()
            }
            let place = try #require(line.range(of: word), "no \(word) in \(example)")
            line.replaceSubrange(place, with: String(id))
        }
        let result = try await shop.unpaced.shell(line)
        #expect(result.status == 0, "\(line): \(result)")
        if operation.returns == "csv" { #expect(result.outputText == "", "\(line)") }
        if operation.returns == "object" { #expect(result.lines.count == 1, "\(line)") }
    }

    /// Shows the request of the example as it stands, with an empty body where there is one.
    private func show(_ example: String, of operation: CatalogueOperation, in shop: CatalogueShop) async throws {
        let line = example.replacing("record.json", with: "<(echo '{}')")
        let result = try await shop.sandbox.shell("\(line) --dry-run")
        expectSuccess(result)
        let request = try JSONValue(result.outputText)
        #expect(request["method"]?.string == operation.method, "\(line): \(result)")
        let target = request["url"]?.string.flatMap { URL(string: $0)?.path() } ?? ""
        let sent = target.split(separator: "/")
        let wanted = operation.path.split(separator: "/")
        #expect(sent.count == wanted.count, "\(line): \(target)")
        for (part, name) in zip(sent, wanted) where name.first != "{" { #expect(part == name, "\(line): \(target)") }
    }

    @Test("--version and --help do not read the catalogue")
    func lazy() async throws {
        try await Sandbox.run { sandbox in
            // A copy of the program in which every path of the catalogue, and every model, is made unreadable. Another
            // program makes it: children that other tests start meanwhile would keep a file of ours open for writing, and
            // such a program cannot be started (execve(2), ETXTBSY).
            let script = """
                import os, sys
                program, spoiled = open(sys.argv[1], "rb").read(), 0
                for begin in map(str.encode, sys.argv[3:]):
                    spoiled += program.count(begin)
                    program = program.replace(begin, b"\\xff" * len(begin))
                with open(sys.argv[2], "wb") as file:
                    file.write(program)
                os.chmod(sys.argv[2], 0o700)
                print(spoiled)
                """
            let spoiled = try await CommandRunner(executable: "/usr/bin/python3", environment: sandbox.variables).run([
                "-I", "-S", "-c", script, CommandRunner.builtProgram("clover"), sandbox.directory["clover"],
                "/v3/merchants/{mId}/", "order.LineItem\t", "inventory.Item\t", "order.Order\t",
            ])
            #expect(Int(spoiled.lines.first ?? "") ?? 0 > 200, "\(spoiled)")
            let runner = CommandRunner(
                executable: sandbox.directory["clover"], environment: sandbox.variables,
                directory: sandbox.directory.path)
            for arguments in [["--version"], ["--help"], ["help", "get"], ["auth", "list"]] {
                let expected = try await sandbox.clover(arguments)
                let result = try await runner.run(arguments)
                #expect(result.ending == expected.ending && result.output == expected.output, "\(result)")
            }
            let asked = try await runner.run(["endpoints", "orders/{orderId}"])
            #expect(asked.output != (try await sandbox.clover("endpoints", "orders/{orderId}")).output)
        }
    }
}

extension String {
    /// Its words, with a space between any two: how text compares that was broken into lines.
    fileprivate var words: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}

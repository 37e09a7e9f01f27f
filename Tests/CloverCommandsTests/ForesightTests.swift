import CloverCommands
import Testing

@Suite("What is prepared before the command line is parsed")
struct ForesightTests {
    @Test(
        "predicts a request for the commands that send one",
        arguments: [
            ("get orders", true), ("get orders ID --jq .id", true), ("post items --field name=Latte", true),
            ("put x", true), ("api orders", true), ("api orders --dry-run", false), ("delete items/ID --yes", true),
            ("", false), ("get", false), ("--version", false),
            ("get --help", false), ("get orders -h", false), ("get orders --dry-run", false),
            ("post items --curl", false), ("get orders --explain", false), ("auth status", false), ("help get", false),
            ("export orders --to out", true), ("export", false), ("export status --to out", false),
            ("export schedule --every 15m", false),
        ])
    func isAboutToSend(line: String, expected: Bool) {
        #expect(Program.isAboutToSend(line.split(separator: " ").map(String.init)) == expected)
    }

    @Test(
        "predicts many pages for --all and for exports",
        arguments: [
            ("get orders --all", true), ("get orders", false), ("get orders ID --jq .id", false),
            ("export orders --to out", true), ("export status --all", false), ("auth list --all", false),
        ])
    func readsManyPages(line: String, expected: Bool) {
        #expect(Program.readsManyPages(line.split(separator: " ").map(String.init)) == expected)
    }

    @Test(
        "finds the jq program after its option",
        arguments: [
            (["get", "orders", "--jq", ".a | b"], ".a | b"), (["get", "orders", "--jq=.a=1", "--all"], ".a=1"),
            (["post", "items", "-r", "--jq", "--all"], "--all"), (["get", "orders", "--jq"], nil),
            (["get", "orders"], nil), (["auth", "list", "--jq", "."], nil),
            (["get", "orders", "--jq", ".", "--curl"], nil),
            (["get", "orders", "--arg", "a", "1", "--jq", "$a"], nil),
            (["get", "orders", "--argjson=a=1", "--jq", "$a"], nil),
        ] as [([String], String?)])
    func predictedProgram(arguments: [String], expected: String?) {
        #expect(Program.predictedProgram(arguments) == expected)
    }
}

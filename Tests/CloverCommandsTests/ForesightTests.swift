import CloverCommands
import Testing

@Suite("What is prepared before the command line is parsed")
struct ForesightTests {
    @Test(
        "a request is expected of the commands that send one",
        arguments: [
            ("get orders", true), ("get orders ID --jq .id", true), ("post items --field name=Latte", true),
            ("put x", true), ("delete items/ID --yes", true), ("", false), ("get", false), ("--version", false),
            ("get --help", false), ("get orders -h", false), ("get orders --dry-run", false),
            ("post items --curl", false), ("get orders --explain", false), ("auth status", false), ("help get", false),
        ])
    func isAboutToSend(line: String, expected: Bool) {
        #expect(Program.isAboutToSend(line.split(separator: " ").map(String.init)) == expected)
    }
}

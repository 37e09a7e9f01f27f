import CloverSystem
import Testing

@Suite("The words of a command line")
struct CommandWordsTests {
    @Test(
        "spaces separate, quotes keep together, nothing else is understood",
        arguments: [
            ("", []), ("  \t ", []), ("a", ["a"]), (" a  b\tc ", ["a", "b", "c"]), ("'a b' c", ["a b", "c"]),
            ("\"it's\" x", ["it's", "x"]), ("a'b c'd", ["ab cd"]), ("''", [""]), ("a $HOME *", ["a", "$HOME", "*"]),
            ("a\\ b", ["a\\", "b"]),
        ])
    func split(_ line: String, _ words: [String]) {
        let result = CommandLineSplitter.split(line)
        #expect(result.words == words)
        #expect(result.isClosed)
    }

    @Test("an unclosed quote is reported", arguments: ["'a", "\"a b", "a 'b\" c"])
    func open(_ line: String) {
        #expect(!CommandLineSplitter.split(line).isClosed)
    }
}

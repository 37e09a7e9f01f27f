import CloverJSON
import Testing

@Suite("JSON responses")
struct JSONTreeTests {
    @Test("depth is bounded: what is nested without end is no tree, and ends no process")
    func depth() {
        for text in ["[", #"{"a":"#] {
            #expect(JSONTree(Array(String(repeating: text, count: 500_000).utf8)) == nil)
        }
        let closed = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
        #expect(JSONTree(Array(closed.utf8)) == nil)
    }

    @Test(
        "two members of one name with different values are ambiguous, wherever they are",
        arguments: [
            (#"{"id":"A","id":"B"}"#, true), (#" {"a":{"total":1,"b":2,"total":2}}"#, true),
            (#"{"a":[0,[{"x":true,"x":false}]]}"#, true), (#"[{"\u0069d":1,"id":2}]"#, true),
            (#"{"id":"A","id":"A"}"#, false), (#"{"a":{"id":1},"b":{"id":2}}"#, false),
            (#"[{"id":1},{"id":2}]"#, false), ("{}", false), ("7", false),
        ])
    func ambiguous(_ text: String, _ isAmbiguous: Bool) {
        #expect((JSONTree(Array(text.utf8)) == nil) == isAmbiguous)
    }
}

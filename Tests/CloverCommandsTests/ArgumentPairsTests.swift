import CloverCommands
import Testing

@Suite("jq's options with two values")
struct ArgumentPairsTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var given: [String]
        var joined: [String]
    }

    @Test(
        "a name and a value become one argument; nothing else changes",
        arguments: [
            Row(testDescription: "none", given: ["get", "orders"], joined: ["get", "orders"]),
            Row(
                testDescription: "one pair", given: ["get", "--arg", "a", "b c", "orders"],
                joined: ["get", "--arg=a=b c", "orders"]),
            Row(
                testDescription: "a value that looks like an option", given: ["--arg", "a", "--all"],
                joined: ["--arg=a=--all"]),
            Row(testDescription: "a value with =", given: ["--argjson", "a", "x=y"], joined: ["--argjson=a=x=y"]),
            Row(
                testDescription: "joined already", given: ["--arg", "a=b", "orders"],
                joined: ["--arg", "a=b", "orders"]),
            Row(testDescription: "an empty value", given: ["--arg", "a", ""], joined: ["--arg=a="]),
            Row(testDescription: "no value", given: ["--arg", "a"], joined: ["--arg", "a"]),
            Row(testDescription: "nothing", given: ["--arg"], joined: ["--arg"]),
            Row(
                testDescription: "after --", given: ["--", "--arg", "a", "b"],
                joined: ["--", "--arg", "a", "b"]),
        ])
    func joins(row: Row) {
        #expect(ArgumentPairs.joined(row.given) == row.joined)
    }
}

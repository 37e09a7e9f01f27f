import CloverReaders
import Testing

struct DriverCommandTests {
    @Test(
        "words are separated by spaces, and quotes keep them together",
        arguments: [
            ("driver", ["driver"]), ("  /opt/my-driver  --port  ttyS0 ", ["/opt/my-driver", "--port", "ttyS0"]),
            ("'/opt/my driver' \"\" a'b c'd", ["/opt/my driver", "", "ab cd"]),
            ("driver '$HOME' `x`", ["driver", "$HOME", "`x`"]),
        ])
    func words(_ text: String, _ words: [String]) {
        #expect(DriverCommand(parsing: text)?.words == words)
    }

    @Test("a command without a program is invalid", arguments: ["", "   ", "''", "'driver", "driver \"x"])
    func none(_ text: String) {
        #expect(DriverCommand(parsing: text) == nil)
    }

    @Test("the name for messages is the file name")
    func name() {
        #expect(DriverCommand(parsing: "/opt/my-driver --port 1")?.name == "my-driver")
    }
}

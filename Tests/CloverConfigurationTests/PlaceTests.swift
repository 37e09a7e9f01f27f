import CloverConfiguration
import CloverSystem
import Testing

@Suite("configuration: where the file is")
struct PlaceTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let variables: [String: String]
        let path: String
        var testDescription: String { "\(variables)" }
    }

    @Test(
        "our own variable, then that of the system, then the home",
        arguments: [
            Row(variables: ["CLOVER_CONFIG_DIR": "/c/", "HOME": "/h"], path: "/c/config.yml"),
            Row(
                variables: ["CLOVER_CONFIG_DIR": "", "XDG_CONFIG_HOME": "/x", "HOME": "/h"],
                path: "/x/clover/config.yml"),
            Row(variables: ["XDG_CONFIG_HOME": "relative", "HOME": "/h"], path: "/h/.config/clover/config.yml"),
            Row(variables: ["HOME": "/h", "CLOVER_STATE_DIR": "/s"], path: "/h/.config/clover/config.yml"),
        ])
    func place(_ row: Row) throws {
        #expect(try ConfigurationFile(environment: row.variables).path == row.path)
    }
}

import CloverKit
import CloverSystem
import CloverTestSupport
import Testing

/// Where the library keeps its state, when the program has a database.
@Suite("state of CloverKit")
struct StateTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func variables(_ configuration: String? = nil, _ state: String? = nil) throws -> [String: String] {
        if let configuration {
            _ = try directory.makeFolder("config")
            _ = try directory.write("config/config.yml", configuration.utf8)
        }
        var variables = ["CLOVER_STATE_DIR": directory["state"], "CLOVER_CONFIG_DIR": directory["config"]]
        variables["CLOVER_STATE"] = state
        return variables
    }

    @Test(
        "a shop that would use other files than the program's database is refused",
        arguments: [
            "state: postgresql://clover@db.example.com/clover\n",
            "merchant: M1\n\"state\" : 'postgres:///clover' # shared\n", "  state: postgresql:///clover\r\n",
            "state: >-\n  postgresql:///clover\n", "{state: postgresql:///clover}",
        ])
    func database(_ configuration: String) throws {
        let error = #expect(throws: CloverError.self) {
            _ = try Shop.state(Shop.Options(), try variables(configuration))
        }
        let path = directory["config/config.yml"]
        #expect(error?.kind == .state && error?.message.hasPrefix("\(path) sets") == true, "\(error as Any)")
        #expect(error?.nextStep.contains("Shop.Options.stateDirectory") == true)
        // What was named for the library is meant for it, and the variable overrides the file.
        var options = Shop.Options()
        options.stateDirectory = directory["own"]
        #expect(try Shop.state(options, try variables(configuration)).path == directory["own"])
        #expect(try Shop.state(Shop.Options(), try variables(configuration, "files")).path == directory["state"])
    }

    @Test("without a database, the files of the program are used")
    func files() throws {
        #expect(try Shop.state(Shop.Options(), try variables()).path == directory["state"])
        for text in ["", "state: files\n", "# state: postgresql:///clover\n", "state: \"files\" # here\n"] {
            #expect(try Shop.state(Shop.Options(), try variables(text)).path == directory["state"], "\(text)")
        }
        #expect(try Shop.state(Shop.Options(), try variables(nil, "")).path == directory["state"])
        let error = #expect(throws: CloverError.self) {
            _ = try Shop.state(Shop.Options(), try variables("state: files\n", "postgresql:///clover"))
        }
        #expect(error?.kind == .state && error?.message.hasPrefix("CLOVER_STATE sets") == true, "\(error as Any)")
    }
}

import CloverTestSupport
import Testing

@Suite("config: settings of readers and payments")
struct OtherSettingsTests {
    @Test("the reader driver: the variable takes precedence over the file")
    func driver() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.configured("reader-driver: /nonexistent/of-the-file\n")
            let file = try await sandbox.clover("reader", "scan", "--transport", "driver")
            expectFailure(file, status: 69, saying: "of-the-file")
            let variable = try await sandbox.with(["CLOVER_READER_DRIVER": "/nonexistent/of-the-variable"])
                .clover("reader", "scan", "--transport", "driver")
            expectFailure(variable, status: 69, saying: "of-the-variable")
        }
    }

    @Test("the Square client id: flag, then profile, then top level")
    func squareClientID() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.configured(
                "profile: a\nsquare-client-id: sq0idp-top\nprofiles:\n  a:\n    square-client-id: sq0idp-profile\n")
            let request = [
                "charge", "square", "request", "--platform", "ios", "--amount", "1.00", "--currency", "USD",
                "--callback-url", "shop://done",
            ]
            let profile = try await sandbox.clover(request)
            #expect(profile.ending == .exited(0), "\(profile)")
            #expect(profile.outputText.contains("sq0idp-profile"), "\(profile)")
            let flag = try await sandbox.clover(request + ["--client-id", "sq0idp-flag"])
            #expect(flag.outputText.contains("sq0idp-flag"), "\(flag)")
        }
    }
}

import CloverAuth
import Testing

@Suite("Keys of credentials")
struct CredentialKeyTests {
    @Test(
        "Merchants that are no plain id are refused", arguments: ["", "../x", "a/b", "a_b", "a.b", "é", "a b", "a\0b"])
    func merchant(id: String) {
        #expect(throws: CredentialError.invalidMerchant(id)) {
            try CredentialKey(environment: "us", merchantID: id)
        }
    }

    @Test("An id has 64 characters at most")
    func length() throws {
        let longest = String(repeating: "A", count: 64)
        #expect(try CredentialKey(environment: "us", merchantID: longest).merchantID == longest)
        #expect(throws: CredentialError.invalidMerchant(longest + "A")) {
            try CredentialKey(environment: "us", merchantID: longest + "A")
        }
    }

    @Test("Apps that are no plain id, or would look like none, are refused", arguments: ["", "a_b", "../x", "static"])
    func app(id: String) {
        #expect(throws: CredentialError.invalidApp(id)) {
            try CredentialKey(environment: "us", merchantID: "M", appID: id)
        }
    }

    @Test(
        "Environments are names or web addresses",
        arguments: ["", "mars", "US", "file:///etc", "../us", "https://a b", "https://é", "http:/x", "https"])
    func environment(text: String) {
        #expect(throws: CredentialError.invalidEnvironment(text)) {
            try CredentialKey(environment: text, merchantID: "M")
        }
    }

    @Test("An address that makes too long a file name is refused")
    func longAddress() throws {
        let fits = "https://" + String(repeating: "a", count: 86)
        #expect(try CredentialKey(environment: fits, merchantID: "M").environment == fits)
        let tooLong = fits + "a"
        #expect(throws: CredentialError.invalidEnvironment(tooLong)) {
            try CredentialKey(environment: tooLong, merchantID: "M")
        }
    }

    @Test(
        "Environments known by name and addresses are accepted",
        arguments: ["sandbox", "us", "eu", "la", "http://127.0.0.1:8080"])
    func known(text: String) throws {
        #expect(try CredentialKey(environment: text, merchantID: "M").environment == text)
    }
}

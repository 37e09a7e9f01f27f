import CloverEmulator
import Testing

@Suite("Code challenges")
struct CodeChallengeTests {
    @Test("The example of RFC 7636 appendix B matches, another verifier does not")
    func example() throws {
        let challenge = try #require(CodeChallenge(PKCE.challenge))
        #expect(challenge.isMet(by: PKCE.verifier))
        #expect(!challenge.isMet(by: PKCE.otherVerifier))
        #expect(!challenge.isMet(by: PKCE.challenge))
    }

    /// The challenges are real SHA-256 hashes of their verifiers, computed by another program.
    @Test(
        "Verifiers outside the grammar never match, whatever their hash",
        arguments: [
            // 42 and 129 times "a"; 42 times "a" and "+"; 128 times "a" is the longest that does match.
            (String(repeating: "a", count: 42), "elOGB_2quSlplZKfRRVlu7gULhhEEXMiqv0rPXawGv8", false),
            (String(repeating: "a", count: 129), "wSywJKLlVRzKDgj86PHF4xRVXMP-9jKe6ZSj23UhZq4", false),
            (String(repeating: "a", count: 42) + "+", "iwXbWFm6ct1JDeJlZO8FYEXe0UbbNRVyu6etiydm5O8", false),
            (String(repeating: "a", count: 128), "aDbPE7rEAOkQUHHNavRwhN-srU5eMCyUv-0k4BOvtz4", true),
        ])
    func grammar(verifier: String, challenge: String, isMet: Bool) throws {
        #expect(try #require(CodeChallenge(challenge)).isMet(by: verifier) == isMet)
    }

    @Test(
        "Refuses texts that are not a hash",
        arguments: [
            "", "abc", String(PKCE.challenge.dropLast()), PKCE.challenge + "A", PKCE.challenge + "=",
            // The last character must not carry bits after the hash.
            String(PKCE.challenge.dropLast()) + "N", "+" + PKCE.challenge.dropFirst(), "é" + PKCE.challenge.dropFirst(),
        ])
    func malformed(text: String) {
        #expect(CodeChallenge(text) == nil)
    }

    @Test(
        "Base64url is written and read (RFC 4648 section 10, without padding)",
        arguments: [
            ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
            ("foobar", "Zm9vYmFy"), ("~~>", "fn4-"), ("??~", "Pz9-"), ("ÿ", "w78"),
        ])
    func base64(text: String, encoded: String) {
        #expect(Base64URL.encode(Array(text.utf8)) == encoded)
        #expect(Base64URL.decode(encoded) == Array(text.utf8))
    }
}

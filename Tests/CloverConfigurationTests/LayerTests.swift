import CloverConfiguration
import Testing

@Suite("configuration: what counts")
struct LayerTests {
    private static let document = """
        format: csv
        retry: 7
        merchant: TOP
        profiles:
          downtown:
            retry: 3
            merchant: SHOP
        """

    private func layers(
        _ variables: [String: String] = [:], profile: String? = nil, isNamed: Bool = false
    ) throws -> ConfigurationLayers {
        ConfigurationLayers(
            variables: variables, document: try ConfigurationDocument(parsing: Self.document, path: "/c/config.yml"),
            profile: profile, isProfileNamed: isNamed)
    }

    @Test("a flag, then a variable, then the profile, then the top, then the default")
    func order() throws {
        let all = try layers(["CLOVER_RETRY": "5"], profile: "downtown")
        let texts = try all.values(of: .retry, flag: "1").map(\.text)
        #expect(texts == ["1", "5", "3", "7"])
        #expect(try all.value(of: .retry, flag: "1")?.source == .flag)
        #expect(try all.value(of: .retry)?.source == .variable("CLOVER_RETRY"))
        #expect(
            try layers(profile: "downtown").value(of: .retry)
                == ConfigurationValue(text: "3", source: .file(path: "/c/config.yml", line: 6, profile: "downtown")))
        #expect(
            try layers(profile: "airport").value(of: .retry)
                == ConfigurationValue(text: "7", source: .file(path: "/c/config.yml", line: 2, profile: nil)))
        #expect(try layers().value(of: .inFlight) == nil)
        #expect(
            try layers().valueOrStandard(of: .inFlight) == ConfigurationValue(text: "5", source: .standard))
    }

    @Test("a selected profile determines the identity before the variables do; another does not")
    func identity() throws {
        let variables = ["CLOVER_MERCHANT": "ELSEWHERE", "CLOVER_RETRY": "5"]
        let named = try layers(variables, profile: "downtown", isNamed: true)
        #expect(try named.text(.merchant) == "SHOP")
        #expect(try named.wholeNumber(.retry) == 5)
        #expect(try layers(variables, profile: "downtown").text(.merchant) == "ELSEWHERE")
    }

    @Test("an empty variable says nothing; the second name of a variable counts after the first")
    func variables() throws {
        #expect(try layers(["CLOVER_FORMAT": ""]).text(.format) == "csv")
        #expect(try layers(["CLOVER_MERCHANT_ID": "B"]).text(.merchant) == "B")
        #expect(try layers(["CLOVER_MERCHANT_ID": "B", "CLOVER_MERCHANT": "A"]).text(.merchant) == "A")
    }

    @Test("a wrong variable is named, with its value unless that looks like a secret")
    func wrongVariable() throws {
        #expect(throws: ConfigurationError.wrongVariable(name: "CLOVER_RETRY", takes: .wholeNumber(0...100), "x")) {
            try layers(["CLOVER_RETRY": "x"]).wholeNumber(.retry)
        }
        let secret = "8d7e2f34-1111-2222-3333-444455556666"
        #expect(throws: ConfigurationError.wrongVariable(name: "CLOVER_APP_ID", takes: .identifier, nil)) {
            try layers(["CLOVER_APP_ID": secret]).text(.appID)
        }
    }

    @Test("values come as what they are")
    func typed() throws {
        let layers = ConfigurationLayers(variables: ["CLOVER_NO_PACING": "yes", "CLOVER_MAX_TIME": "2m"])
        #expect(try layers.isOn(.noPacing))
        #expect(try !layers.isOn(.noHeader))
        #expect(try layers.seconds(.maximumTime) == 120)
        #expect(try layers.wholeNumber(.retry) == nil)
    }
}

import CloverTestSupport
import Testing

@Suite("get: the iOS SDK's 71 methods")
struct SDKMethodTests {
    @Test("each reads its path by the SDK's own name and by the shorter word, with the ids in order")
    func methods() async throws {
        #expect(SDKMethod.all.count == 71)
        #expect(Set(SDKMethod.all.map(\.name)).count == 71)
        try await CatalogueShop.run { shop in
            let operations = try await shop.readable()
            #expect(Set(operations.compactMap(\.sdkMethod)) == Set(SDKMethod.all.map(\.name)))
            try await shop.forEach(SDKMethod.all) { method in
                let path = try #require(try await shop.concrete(method.path).first, "\(method)")
                let ids = zip(method.path.split(separator: "/"), path.split(separator: "/"))
                    .filter { $0.0.first == "{" && $0.0 != "{mId}" }.map { String($0.1) }
                let body = try await shop.emulator.fetch(shop.absolute(path)) + [10]
                for word in [method.name, Self.alias(method.name)] {
                    // The last id may stand by itself, as in `clover get orders ID`.
                    let attached = ([word] + ids.dropLast()).joined(separator: "/")
                    let result = try await shop.get(
                        [attached] + ids.suffix(1) + ["--no-complete"])
                    expectSuccess(result)
                    #expect(result.output == body, "\(word)")
                }
            }
        }
    }

    /// `merchant-order-line-items` for `getMerchantOrderLineItems`.
    private static func alias(_ name: String) -> String {
        name.dropFirst(3).reduce(into: "") { alias, character in
            if character.isUppercase, !alias.isEmpty { alias += "-" }
            alias += character.lowercased()
        }
    }
}

/// The codes and tokens of all merchants and apps: a book for each pair.
package struct TokenBooks: Sendable {
    private var books: [TokenBook]

    package init(_ tenants: Tenants, settings: OAuthSettings) {
        books = tenants.apps.flatMap { app in
            tenants.merchantIDs.map { merchantID in
                TokenBook(appID: app.id, appSecret: app.secret, merchantID: merchantID, settings: settings)
            }
        }
    }

    package var statistics: OAuthStatistics { books.reduce(OAuthStatistics()) { $0 + $1.statistics } }

    package mutating func answerLost() { books[0].statistics.answersLost += 1 }

    // MARK: Which book

    /// Whatever nobody knows is for the first book, which refuses it.
    package func place(of owner: TokenOwner) -> Int {
        books.firstIndex { $0.appID == owner.appID && $0.merchantID == owner.merchantID } ?? 0
    }

    /// A code of another app is for a book of this one, which refuses it.
    package func place(ofCode code: String, appID: String) -> Int {
        place(appID) { $0.holds(code: code) }
    }

    package func place(ofRefreshToken token: String, appID: String) -> Int {
        place(appID) { $0.holds(refreshToken: token) }
    }

    private func place(_ appID: String, _ holds: (TokenBook) -> Bool) -> Int {
        books.firstIndex { $0.appID == appID && holds($0) } ?? books.firstIndex { $0.appID == appID } ?? 0
    }

    // MARK: Work

    /// Does something with one book, and says whose it is.
    package mutating func change<Result>(
        _ place: Int, _ body: (inout TokenBook) throws(OAuthRefusal) -> Result
    ) throws(OAuthRefusal) -> (result: Result, owner: TokenOwner) {
        let result = try body(&books[place])
        return (result, TokenOwner(merchantID: books[place].merchantID, appID: books[place].appID))
    }

    package mutating func issueCode(_ grant: AuthorizationGrant, to owner: TokenOwner, at now: Int) -> String {
        books[place(of: owner)].issueCode(grant, at: now).code
    }

    package mutating func issueLegacyToken(to owner: TokenOwner) -> String {
        books[place(of: owner)].issueLegacyToken()
    }

    package mutating func removeExpired(at now: Int) -> [String] {
        books.indices.flatMap { books[$0].removeExpired(at: now) }
    }

    /// True for an access token from here whose time is over.
    package func isExpired(accessToken: String, at now: Int) -> Bool {
        books.contains { $0.isExpired(accessToken: accessToken, at: now) }
    }
}

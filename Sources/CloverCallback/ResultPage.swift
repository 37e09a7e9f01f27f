/// What the browser shows at the end of a sign-in or of a payment. The text is plain text; it is escaped where it is put into a page.
package enum ResultPage: Equatable, Sendable {
    /// - Parameters:
    ///   - headline: a few words, such as "Signed in".
    ///   - detail: a sentence or two, such as which merchant it is.
    case success(headline: String, detail: String)
    /// - Parameters:
    ///   - headline: a few words on what went wrong.
    ///   - detail: why, and what to do about it.
    case failure(headline: String, detail: String)
    /// The same for somebody who sees no terminal: none is spoken of.
    case payment(isDone: Bool, headline: String, detail: String)
}

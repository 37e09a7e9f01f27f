/// The pages for everything that is not the callback.
extension Page {
    static let alreadyAnswered = Page(
        status: 409, tone: .plain, headline: "Already answered", detail: "This sign-in has already been answered.")

    /// For a browser that still waits when the command gives up.
    static let stopped = Page(
        status: 503, tone: .bad, headline: "Sign-in stopped", detail: "The command was stopped before it could finish.")

    static let fragment = Page(
        status: 200, tone: .plain, headline: "One more step",
        detail: """
            This page cannot see the answer. If the address above has a part that begins with #, the answer is in \
            there: copy the whole address and give it to 'clover auth receive' in a terminal.
            """,
        closing: "Keep this window open until then.")

    static let hostMissing = Page(
        status: 400, tone: .bad, headline: "Bad request", detail: "The request does not say which host it is for.")

    static let hostForeign = Page(
        status: 421, tone: .bad, headline: "Wrong host", detail: "The request is for a host that is not served here.")

    static let pathUnknown = Page(
        status: 404, tone: .plain, headline: "Nothing here",
        detail: "Only the end of a sign-in is received at this address.")

    static let methodNotAllowed = Page(
        status: 405, tone: .bad, headline: "Method not allowed", detail: "The end of a sign-in is received with GET.")

    static let notNavigation = Page(
        status: 403, tone: .bad, headline: "Not from here",
        detail: "A sign-in ends with a page that is opened, not with a part of another page.")
}

/// The one callback of a sign-in, and the browser that waits for its page.
package struct Callback: Sendable {
    /// The whole address the browser asked for, query included: `http://127.0.0.1:PORT/callback?code=...`.
    ///
    /// It may hold an authorization code, so it belongs in no log and no message.
    package let url: String

    private let desk: CallbackDesk

    init(url: String, desk: CallbackDesk) {
        self.url = url
        self.desk = desk
    }

    /// Shows the browser how the sign-in ended. The first page counts, later ones are dropped.
    ///
    /// Returns when the browser has closed its connection, which it does as soon as it has the whole page, or at most a
    /// second after the page was written. A browser that is gone is not an error.
    package func answer(_ page: ResultPage) async {
        await desk.answer(page)
    }
}

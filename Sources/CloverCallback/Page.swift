import HTTPTypes

/// A page for the browser: plain HTML without external resources or scripts.
struct Page: Equatable, Sendable {
    enum Tone: String, Sendable {
        case good
        case bad
        case plain
    }

    /// HTTP status.
    let status: Int
    let tone: Tone
    let headline: String
    let detail: String
    /// What to do with the window.
    let closing: String

    init(_ page: ResultPage) {
        switch page {
        case .success(let headline, let detail):
            self.init(
                status: 200, tone: .good, headline: headline, detail: detail,
                closing: "You can close this window and go back to the terminal.")
        case .failure(let headline, let detail):
            // The request itself was valid, but it reported a failure.
            self.init(status: 200, tone: .bad, headline: headline, detail: detail)
        case .payment(let isDone, let headline, let detail):
            self.init(
                status: 200, tone: isDone ? .good : .bad, headline: headline, detail: detail, closing: Self.close)
        }
    }

    static let closing = "You can close this window. See the terminal for details."
    /// The closing line for a user who sees no terminal.
    static let close = "You can close this window."

    init(status: Int, tone: Tone, headline: String, detail: String, closing: String = Page.closing) {
        self.status = status
        self.tone = tone
        self.headline = headline
        self.detail = detail
        self.closing = closing
    }

    var headers: HTTPFields {
        var fields: HTTPFields = [
            .contentType: "text/html; charset=utf-8",
            // The URL contains a code, which must not be cached or disclosed.
            .cacheControl: "no-store",
            .contentSecurityPolicy:
                "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "
                + "frame-ancestors 'none'",
            .xContentTypeOptions: "nosniff",
            .connection: "close",
        ]
        if let name = HTTPField.Name("Referrer-Policy") { fields[name] = "no-referrer" }
        if status == 405 { fields[.allow] = "GET" }
        return fields
    }

    var html: String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta name="referrer" content="no-referrer">
        <title>\(HTMLText.escape(headline)) - clover</title>
        <link rel="icon" href="data:,">
        <style>
        \(Self.style)
        </style>
        </head>
        <body class="\(tone.rawValue)">
        <main>
        <div class="mark" aria-hidden="true">\(mark)</div>
        <h1 id="headline">\(HTMLText.escape(headline))</h1>
        <p id="detail">\(HTMLText.escape(detail))</p>
        <p id="closing">\(HTMLText.escape(closing))</p>
        <footer>clover, the command line</footer>
        </main>
        </body>
        </html>

        """
    }

    /// A tick, a cross, or the letter i, in a circle.
    private var mark: String {
        let lines =
            switch tone {
            case .good: "M14 25 L21 32 L34 17"
            case .bad: "M17 17 L31 31 M31 17 L17 31"
            case .plain: "M24 15 V15.5 M24 22 V33"
            }
        return """
            <svg viewBox="0 0 48 48" width="48" height="48" fill="none" stroke-width="4" stroke-linecap="round" \
            stroke-linejoin="round"><circle cx="24" cy="24" r="24"/><path d="\(lines)"/></svg>
            """
    }

    private static let style = """
        :root { --ground: #f4f6f4; --card: #ffffff; --text: #1d2420; --soft: #5b665f; --line: #dfe5e1;
          --good: #1f7a3d; --bad: #b3372f; --plain: #3a6690; }
        @media (prefers-color-scheme: dark) {
          :root { --ground: #141816; --card: #1e2421; --text: #e8eeea; --soft: #9eaaa3; --line: #313a35;
            --good: #3fa463; --bad: #d9655c; --plain: #6b9bc9; }
        }
        * { box-sizing: border-box; }
        body { margin: 0; min-height: 100vh; display: flex; align-items: center; justify-content: center; padding: 24px;
          background: var(--ground); color: var(--text); line-height: 1.5;
          font-family: system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
        main { width: 100%; max-width: 30rem; padding: 40px 32px 24px; background: var(--card); text-align: center;
          border: 1px solid var(--line); border-radius: 16px; overflow-wrap: anywhere; }
        h1 { margin: 16px 0 8px; font-size: 1.5rem; line-height: 1.25; }
        p { margin: 0 0 16px; text-wrap: balance; }
        #detail { white-space: pre-line; }
        #closing { color: var(--soft); }
        footer { margin-top: 32px; padding-top: 16px; border-top: 1px solid var(--line); color: var(--soft);
          font-size: .8125rem; }
        svg path { stroke: var(--card); }
        .good circle { fill: var(--good); }
        .bad circle { fill: var(--bad); }
        .plain circle { fill: var(--plain); }
        """
}

/// The pages for every request that is not the callback.
extension Page {
    fileprivate init(
        _ status: Int, _ tone: Tone, _ headline: String, _ purpose: CallbackOptions.Purpose, _ detail: String
    ) {
        self.init(status: status, tone: tone, headline: headline, detail: detail, closing: purpose.closing)
    }

    static func alreadyAnswered(_ purpose: CallbackOptions.Purpose) -> Page {
        Page(409, .plain, "Already received", purpose, "The result of this \(purpose.word) has already been received.")
    }

    /// For a browser that still waits when the command gives up.
    static func stopped(_ purpose: CallbackOptions.Purpose) -> Page {
        switch purpose {
        case .signIn:
            Page(503, .bad, "Sign-in stopped", purpose, "The command was stopped before it could finish.")
        case .payment:
            Page(
                503, .bad, "Too late", purpose,
                "The result arrived too late to be shown here. Ask the shop how the payment ended.")
        }
    }

    /// The right path without a query.
    static func withoutQuery(_ purpose: CallbackOptions.Purpose) -> Page {
        switch purpose {
        case .signIn:
            Page(
                status: 200, tone: .plain, headline: "One more step",
                detail: """
                    This page cannot see the response. If the address above contains a #, the response follows it: \
                    copy the whole address and pass it to 'clover auth receive' in a terminal.
                    """,
                closing: "Keep this window open until then.")
        case .payment:
            Page(400, .plain, "Nothing here", purpose, "The address contains no response from the Square app.")
        }
    }

    /// The response to another request.
    static func unexpected(_ purpose: CallbackOptions.Purpose) -> Page {
        Page(
            409, purpose == .signIn ? .bad : .plain, "Not this \(purpose.word)", purpose,
            "The address does not belong to the \(purpose.word) in progress here.")
    }

    /// No Host header, or more than one.
    static func hostMissing(_ purpose: CallbackOptions.Purpose) -> Page {
        Page(400, .bad, "Bad request", purpose, "The request does not name a host.")
    }

    /// Meant for another site or another port.
    static func hostForeign(_ purpose: CallbackOptions.Purpose) -> Page {
        Page(421, .bad, "Wrong host", purpose, "The request is for a host that is not served here.")
    }

    static func pathUnknown(_ purpose: CallbackOptions.Purpose) -> Page {
        Page(404, .plain, "Nothing here", purpose, "This address only receives the result of a \(purpose.word).")
    }

    static func methodNotAllowed(_ purpose: CallbackOptions.Purpose) -> Page {
        Page(405, .bad, "Method not allowed", purpose, "The result of a \(purpose.word) must be sent with GET.")
    }

    /// A browser's prefetch, or a part of another page; not the user's own navigation.
    static func notNavigation(_ purpose: CallbackOptions.Purpose) -> Page {
        Page(
            403, .bad, "Not allowed here", purpose,
            "The result of a \(purpose.word) must be opened as a page, not loaded by another page.")
    }
}

extension CallbackOptions.Purpose {
    fileprivate var word: String { self == .signIn ? "sign-in" : "payment" }

    fileprivate var closing: String { self == .signIn ? Page.closing : Page.close }
}

/// The page shown at the end of a sign-in or payment. Plain text, which is escaped when it is inserted into HTML.
package enum ResultPage: Equatable, Sendable {
    /// - Parameters:
    ///   - headline: a few words, such as "Signed in".
    ///   - detail: one or two sentences, such as the merchant's name.
    case success(headline: String, detail: String)
    /// - Parameters:
    ///   - headline: a few words on what went wrong.
    ///   - detail: the cause, and what to do about it.
    case failure(headline: String, detail: String)
    /// The same for a user who sees no terminal; the page does not mention one.
    case payment(isDone: Bool, headline: String, detail: String)
}

/// Escapes plain text for HTML.
enum HTMLText {
    /// Longer than any message, and short enough for a page written in one piece.
    private static let limit = 2000

    /// The text with HTML's special characters escaped, for use in an element or a quoted attribute. Drops control
    /// characters other than line breaks, and characters that change text direction; text from the service could
    /// contain both.
    static func escape(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars.prefix(limit) {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case "\n": result += "\n"
            case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": break
            default:
                if scalar.properties.generalCategory != .control { result.unicodeScalars.append(scalar) }
            }
        }
        return result
    }
}

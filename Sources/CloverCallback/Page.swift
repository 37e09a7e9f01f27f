import HTTPTypes

/// A page as it is shown: plain HTML that loads nothing and runs nothing.
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
            // Nothing was wrong with the request, only with what it said.
            self.init(status: 200, tone: .bad, headline: headline, detail: detail)
        case .payment(let isDone, let headline, let detail):
            self.init(
                status: 200, tone: isDone ? .good : .bad, headline: headline, detail: detail, closing: Self.close)
        }
    }

    static let closing = "You can close this window. The terminal says more."
    /// What to do with a window whose user sees no terminal.
    static let close = "You can close this window."

    init(
        status: Int, tone: Tone, headline: String, detail: String,
        closing: String = Page.closing
    ) {
        self.status = status
        self.tone = tone
        self.headline = headline
        self.detail = detail
        self.closing = closing
    }

    var headers: HTTPFields {
        var fields: HTTPFields = [
            .contentType: "text/html; charset=utf-8",
            // The address holds a code: it must be kept nowhere and told to nobody.
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

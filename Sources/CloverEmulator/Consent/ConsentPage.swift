import NIOCore

/// The pages of the consent step: plain HTML with its own style, no scripts and no external resources.
package enum ConsentPage {
    private static let style = """
        :root{color-scheme:light dark;--paper:#fff;--ground:#eef2ef;--ink:#1b2420;--quiet:#5a6861;--line:#d9e1dc;\
        --leaf:#1d7a3e;--leaf-ink:#fff;--warn:#a3341f}
        @media(prefers-color-scheme:dark){:root{--paper:#1d2421;--ground:#121715;--ink:#e8efeb;--quiet:#a3b1a9;\
        --line:#36413b;--leaf:#3fae6a;--leaf-ink:#0c1710;--warn:#ff9b85}}
        *{box-sizing:border-box}
        body{margin:0;min-height:100vh;padding:1.5rem 1rem;background:var(--ground);color:var(--ink);\
        font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;overflow-wrap:anywhere}
        main{max-width:27rem;margin:0 auto;padding:1.75rem 1.5rem;background:var(--paper);border:1px solid var(--line);\
        border-radius:1rem}
        .badge{display:flex;align-items:center;justify-content:center;width:3.25rem;height:3.25rem;margin-bottom:1rem;\
        border-radius:50%;background:var(--leaf);color:var(--leaf-ink);font-size:1.5rem;font-weight:600}
        .badge.warn{background:var(--warn);color:var(--paper)}
        h1{margin:0 0 .5rem;font-size:1.4rem;line-height:1.25}
        h2{margin:1.25rem 0 .25rem;font-size:1rem}
        p{margin:.5rem 0}
        .quiet{color:var(--quiet);font-size:.875rem}
        ul{margin:0;padding:0;list-style:none}
        li{padding:.6rem 0;border-top:1px solid var(--line)}
        li:first-child{border-top:0}
        li span{display:block;color:var(--quiet);font-size:.875rem}
        .buttons{display:flex;flex-wrap:wrap-reverse;gap:.75rem;margin:1.25rem 0}
        button{flex:1 1 9rem;min-height:2.9rem;padding:.5rem 1rem;border:1px solid var(--line);border-radius:.6rem;\
        background:transparent;color:inherit;font:inherit;font-weight:600;cursor:pointer}
        button#approve{border-color:var(--leaf);background:var(--leaf);color:var(--leaf-ink)}
        button:focus-visible{outline:3px solid var(--ink);outline-offset:2px}
        """

    /// Asks the merchant for consent. The form posts to the path that the page was loaded from.
    ///
    /// - Parameter withheld: record families that the app will not get.
    package static func consent(
        _ request: ConsentRequest, path: String, shop: Shop, withheld: Set<String>
    ) -> EmulatorResponse {
        let app = HTMLText.escape(shop.identity.appName)
        let merchant = HTMLText.escape(shop.catalogue.merchantName)
        let permissions = Permission.allCases.map { permission in
            "<li>\(HTMLText.escape(permission.text.name))<span>\(HTMLText.escape(permission.text.meaning))</span></li>"
        }.joined(separator: "\n")
        let missing =
            withheld.isEmpty
            ? ""
            : "<p class=\"quiet\">Not included: \(HTMLText.escape(withheld.sorted().joined(separator: ", "))).</p>"
        let hidden = request.fields.map { field in
            "<input type=\"hidden\" name=\"\(field.name)\" value=\"\(HTMLText.escape(field.value))\">"
        }.joined(separator: "\n")
        return page(
            status: 200, title: "Connect \(app) to \(merchant)",
            content: """
                <div class="badge" aria-hidden="true">\(HTMLText.escape(String(shop.catalogue.merchantName.prefix(1))))</div>
                <h1>\(app) would like to connect to \(merchant)</h1>
                <p class="quiet">Merchant \(HTMLText.escape(request.merchantID)), \
                app \(HTMLText.escape(request.clientID))</p>
                <h2>It asks for these permissions</h2>
                <ul id="permissions">
                \(permissions)
                </ul>
                \(missing)
                <form method="post" action="\(path)">
                \(hidden)
                <div class="buttons">
                <button id="deny" type="submit" name="decision" value="deny">Deny</button>
                <button id="approve" type="submit" name="decision" value="approve">Approve</button>
                </div>
                </form>
                <p class="quiet">Either choice takes you to \(HTMLText.escape(request.redirectURI.text))</p>
                <p class="quiet">This is the emulator: the shop and the app are fictitious.</p>
                """)
    }

    /// Explains why a request is invalid, with status 400.
    package static func refusal(_ error: ConsentError) -> EmulatorResponse {
        page(
            status: 400, title: "This request is not valid",
            content: """
                <div class="badge warn" aria-hidden="true">!</div>
                <h1>This request is not valid</h1>
                <p id="reason">\(HTMLText.escape(error.description))</p>
                <p class="quiet">You are not signed in. Close this window and start again from the app that sent you \
                here.</p>
                """)
    }

    private static func page(status: Int, title: String, content: String) -> EmulatorResponse {
        var answer = EmulatorResponse(
            status: status,
            body: ByteBuffer(
                string: """
                    <!DOCTYPE html>
                    <html lang="en">
                    <head>
                    <meta charset="utf-8">
                    <meta name="viewport" content="width=device-width, initial-scale=1">
                    <title>\(title)</title>
                    <style>
                    \(style)
                    </style>
                    </head>
                    <body>
                    <main>
                    \(content)
                    </main>
                    </body>
                    </html>

                    """))
        answer.contentType = "text/html; charset=utf-8"
        // No form-action: Chromium also applies it to the redirect after the form, which leads to the app's own
        // address.
        answer.headers = [
            ("Cache-Control", "no-store"), ("Referrer-Policy", "no-referrer"), ("X-Content-Type-Options", "nosniff"),
            (
                "Content-Security-Policy",
                "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'"
            ),
        ]
        return answer
    }
}

package enum HTMLText {
    /// Escapes the characters with a special meaning in text and in quoted attributes (HTML Living Standard, section
    /// 13.1.2.3).
    package static func escape(_ text: String) -> String {
        var result = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }
}

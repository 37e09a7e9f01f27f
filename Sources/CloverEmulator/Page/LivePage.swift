import NIOCore

/// The page at `/`: the shop, requests as they come, limits, charges, and webhooks. Plain HTML that is complete without a script;
/// the script replaces the changing part once a second. It shows no tokens and no secrets.
struct LivePage {
    private static let shownRequests = 40
    private static let shownCharges = 20

    let facts: Facts
    let statistics: TrafficStatistics
    let limits: TrafficLimits
    let isEnforced: Bool
    let requests: [TrafficLog.Entry]
    let movements: [JSONValue]
    let money: (charges: Int, duplicates: Int)
    /// What became of the latest webhooks; nil if none are sent.
    let webhooks: [WebhookSender.Outcome]?

    /// What does not change while the emulator runs.
    struct Facts: Sendable {
        let shopName: String
        let merchantIDs: [String]
        let appID: String
        let period: String
    }

    init(
        _ facts: Facts, meter: TrafficMeter, isEnforced: Bool, _ report: PaymentReport,
        webhooks: [WebhookSender.Outcome]?
    ) {
        self.webhooks = webhooks
        self.facts = facts
        statistics = meter.statistics
        limits = meter.limits
        self.isEnforced = isEnforced
        requests = meter.log.newest(Self.shownRequests)
        movements = report.newest(Self.shownCharges)
        money = (report.charges, report.duplicateCharges)
    }

    // MARK: Responses

    /// The whole page.
    ///
    /// - Parameter host: name and port under which the browser has reached it.
    func page(host: String) -> EmulatorResponse {
        let name = HTMLText.escape(facts.shopName)
        let url = HTMLText.escape("http://\(host)")
        let commands = """
            clover auth login --environment \(url) --app-id \(HTMLText.escape(facts.appID))
            clover get orders --limit 5
            clover report sales --period \(HTMLText.escape(facts.period))
            """
        var response = Self.response(
            """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(name): a local Clover</title>
            <style>\(Self.style)</style>
            <script src="/emulator/page.js" defer></script>
            </head>
            <body>
            <main>
            <header>
            <h1>\(name)</h1>
            <p class="quiet">A local Clover with a fictitious shop. Merchant \
            \(facts.merchantIDs.map(HTMLText.escape).joined(separator: ", ")).</p>
            <p id="gone" class="warn" role="status" hidden>The emulator does not respond; this page shows what was last \
            seen.</p>
            </header>
            <section id="start"><h2>To sign in, in a terminal</h2><pre id="commands">\(commands)</pre></section>
            <div id="live">\(live)</div>
            <noscript><p class="quiet">Reload the page to see newer requests.</p></noscript>
            <footer class="quiet">As JSON: <a href="/emulator/stats">statistics</a>, \
            <a href="/emulator/requests">requests</a>, <a href="/emulator/charges">charges</a>.</footer>
            </main>
            </body>
            </html>

            """)
        response.headers.append(
            (
                "Content-Security-Policy",
                "default-src 'none'; style-src 'unsafe-inline'; script-src 'self'; connect-src 'self'; "
                    + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
            ))
        return response
    }

    /// The part of the page that changes.
    var fragment: EmulatorResponse { Self.response(live) }

    static var script: EmulatorResponse {
        var response = response(scriptText)
        response.contentType = "text/javascript; charset=utf-8"
        return response
    }

    private static func response(_ text: String) -> EmulatorResponse {
        var response = EmulatorResponse(body: ByteBuffer(string: text))
        response.contentType = "text/html; charset=utf-8"
        response.headers = [
            ("Cache-Control", "no-store"), ("Referrer-Policy", "no-referrer"), ("X-Content-Type-Options", "nosniff"),
        ]
        return response
    }

    // MARK: Content

    private var live: String {
        let rejected = statistics.rejected.values.reduce(0, +)
        let facts = [
            ("requests", "Requests", statistics.requests), ("in-flight", "In flight", statistics.inFlight),
            ("refused", "Refused", rejected), ("faults", "Faults", statistics.faults),
            ("charges", "Charges", money.charges), ("duplicates", "Charged twice", money.duplicates),
        ].map { id, name, value in
            let isBad = (id == "refused" || id == "duplicates") && value > 0
            return "<div><dt>\(name)</dt><dd id=\"\(id)\"\(isBad ? " class=\"warn\"" : "")>\(value)</dd></div>"
        }
        return """
            <dl id="numbers">\(facts.joined())</dl>
            <section><h2>Limits\(isEnforced ? "" : " (not enforced)")</h2>\(limitTable)</section>
            <section><h2>Requests</h2>\(requestTable)</section>
            <section><h2>Money</h2>\(moneyTable)</section>
            <section><h2>Webhooks</h2>\(webhookTable)</section>
            """
    }

    private var webhookTable: String {
        let rows = (webhooks ?? []).reversed().map { outcome in
            let isGood = outcome.kind == .accepted || outcome.kind == .doubled
            return [
                CivilDate.timeOfDay(outcome.time),
                outcome.events.map { "<code>\(HTMLText.escape($0))</code>" }.joined(separator: "<br>"),
                "<span class=\"\(isGood ? "good" : "warn")\">\(outcome.kind.rawValue)</span>",
            ]
        }
        return Self.table(
            "webhooks", ["Time (UTC)", "Events", "Outcome"], rows,
            empty: webhooks == nil
                ? "None are sent. To receive them, start with --webhook-url URL." : "No webhooks yet.")
    }

    private var limitTable: String {
        let tokens = statistics.tokens.map { account in
            row(
                account, "Token of \(account.merchantID ?? "")\(account.appID.map { ", app \($0)" } ?? "")",
                limits.tokenPerSecond, limits.tokenInFlight)
        }
        let apps = statistics.apps.filter { $0.gauge.requests > 0 }.map { account in
            row(
                account, "App \(account.appID ?? "") with all tokens", limits.appPerSecond, limits.appInFlight)
        }
        return Self.table(
            "limits", ["Who", "Requests", "Most in a second", "Most at once", "Refused"], tokens + apps,
            empty: "No requests yet.")
    }

    private func row(_ account: TrafficAccount, _ name: String, _ rate: Int, _ concurrency: Int) -> [String] {
        let gauge = account.gauge
        let refused = gauge.rejected.values.reduce(0, +)
        return [
            HTMLText.escape(name), "\(gauge.requests)", Self.meter(gauge.peakPerSecond, of: rate),
            Self.meter(gauge.peakInFlight, of: concurrency),
            refused > 0 ? "<span class=\"warn\">\(refused)</span>" : "0",
        ]
    }

    private static func meter(_ value: Int, of limit: Int) -> String {
        // Refused requests count too, so that it may be more than the limit.
        "<meter min=\"0\" max=\"\(limit)\" value=\"\(value)\"></meter> "
            + "<span\(value > limit ? " class=\"warn\"" : "")>\(value) of \(limit)</span>"
    }

    private var requestTable: String {
        let rows = requests.reversed().map { entry in
            let status =
                entry.status.map { code in
                    "<span class=\"\(code < 300 ? "good" : "warn")\">\(code)</span>"
                } ?? (entry.left == nil ? "in progress" : "<span class=\"warn\">none</span>")
            return [
                "\(entry.number)", CivilDate.timeOfDay(entry.time), "<code>\(HTMLText.escape(entry.request))</code>",
                status + (entry.refusal.map { " \($0.rawValue)" } ?? ""),
                entry.milliseconds.map { "\($0) ms" } ?? "",
            ]
        }
        return Self.table(
            "traffic", ["No.", "Time (UTC)", "Request", "Status", "Took"], rows, empty: "No requests yet.")
    }

    private var moneyTable: String {
        let rows = movements.reversed().map { movement in
            let moved = movement["moved"]?.integer ?? 0
            let result = movement["result"]?.text ?? ""
            return [
                HTMLText.escape(movement["kind"]?.text ?? ""), HTMLText.escape(movement["rail"]?.text ?? ""),
                "\(Self.amount(moved)) \(HTMLText.escape(movement["currency"]?.text ?? ""))",
                result == "approved" ? "<span class=\"good\">approved</span>" : HTMLText.escape(result),
                "<code>\(HTMLText.escape(movement["key"]?.text ?? movement["externalId"]?.text ?? ""))</code>",
            ]
        }
        return Self.table(
            "money", ["What", "Over", "Moved", "Result", "Key"], rows, empty: "No charges yet.")
    }

    /// Cents with two decimals, such as `-12.50`.
    private static func amount(_ cents: Int) -> String {
        "\(cents < 0 ? "-" : "")\(abs(cents) / 100).\((abs(cents) % 100).digits(2))"
    }

    /// - Parameter rows: cells as HTML.
    private static func table(_ id: String, _ head: [String], _ rows: [[String]], empty: String) -> String {
        guard !rows.isEmpty else { return "<p id=\"\(id)\" class=\"quiet\">\(empty)</p>" }
        let body = rows.map { row in "<tr>" + row.map { "<td>\($0)</td>" }.joined() + "</tr>" }
        return "<div class=\"wide\"><table id=\"\(id)\"><thead><tr>"
            + head.map { "<th scope=\"col\">\($0)</th>" }.joined()
            + "</tr></thead><tbody>\(body.joined())</tbody></table></div>"
    }
}

extension LivePage {
    private static let scriptText = """
        "use strict";
        const live = document.getElementById("live");
        const gone = document.getElementById("gone");
        let shown = null;
        async function refresh() {
          try {
            const response = await fetch("/emulator/live", {cache: "no-store"});
            if (!response.ok) throw new Error(response.statusText);
            const text = await response.text();
            // What has not changed stays, so that a selection does.
            if (text !== shown) live.innerHTML = shown = text;
            gone.hidden = true;
          } catch {
            gone.hidden = false;
          }
          setTimeout(refresh, 1000);
        }
        refresh();

        """

    private static let style = """
        :root{color-scheme:light dark;--paper:#fff;--ground:#eef2ef;--ink:#1b2420;--quiet:#5a6861;--line:#d9e1dc;\
        --good:#1d7a3e;--warn:#a3341f}
        @media(prefers-color-scheme:dark){:root{--paper:#1d2421;--ground:#121715;--ink:#e8efeb;--quiet:#a3b1a9;\
        --line:#36413b;--good:#5cc987;--warn:#ff9b85}}
        *{box-sizing:border-box}
        body{margin:0;padding:1.5rem 1rem;background:var(--ground);color:var(--ink);\
        font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;overflow-wrap:anywhere}
        main{max-width:64rem;margin:0 auto}
        h1{margin:0;font-size:1.5rem;line-height:1.25}
        h2{margin:0 0 .5rem;font-size:1rem}
        p{margin:.25rem 0}
        a{color:inherit}
        section,#numbers>div{margin:0 0 1rem;padding:1rem;background:var(--paper);border:1px solid var(--line);\
        border-radius:.75rem}
        header,footer{margin:0 0 1rem}
        pre{margin:0;white-space:pre-wrap;font-size:.875rem}
        .quiet{color:var(--quiet);font-size:.875rem}
        .good{color:var(--good)}
        .warn{color:var(--warn);font-weight:600}
        #numbers{display:grid;grid-template-columns:repeat(auto-fill,minmax(9rem,1fr));gap:0 1rem;margin:0}
        dt{color:var(--quiet);font-size:.875rem}
        dd{margin:0;font-size:1.5rem;line-height:1.2}
        .wide{overflow-x:auto}
        table{width:100%;border-collapse:collapse;font-size:.875rem}
        th{color:var(--quiet);font-weight:600;text-align:left}
        th,td{overflow-wrap:normal;padding:.3rem .75rem .3rem 0;border-bottom:1px solid var(--line);vertical-align:top}
        tr:last-child td{border-bottom:0}
        td{font-variant-numeric:tabular-nums}
        meter{width:5rem;vertical-align:middle}
        """
}

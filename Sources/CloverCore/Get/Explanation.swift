import CloverAPI
import CloverHTTP
import CloverPacing

/// How many calls a run takes, and how long at the present budget: what is certain, and what only the answers can tell.
package struct Explanation: Sendable, Equatable {
    let path: String
    let preview: RunPreview
    /// The merchant's time zone and currency are asked for first.
    let asksForFacts: Bool
    /// The merchant's time zone was asked for, by which dates are meant.
    let hasAskedForZone: Bool
    /// All records are wanted, however many there are.
    let isEverything: Bool
    let budget: LedgerBudget

    private var secondsAtLeast: Double { Self.seconds(budget.wait(for: preview.callsAtLeast)) }

    private var secondsAtMost: Double? { preview.callsAtMost.map { Self.seconds(budget.wait(for: $0)) } }

    /// One line, line break included.
    package var json: String {
        var line = JSONLine()
        line.add("path", path)
        line.add("method", "GET")
        line.add("url", Redaction.url(preview.url))
        line.add("callsAtLeast", Int64(preview.callsAtLeast))
        line.add("callsAtMost", preview.callsAtMost.map(Int64.init))
        line.add("recordsPerFurtherCall", preview.recordsPerCall.map(Int64.init))
        line.add("windows", preview.windows.map(Int64.init))
        line.add("waitAtLeast", json: Self.number(secondsAtLeast))
        line.add("waitAtMost", json: secondsAtMost.map(Self.number) ?? "null")
        line.add("notes", notes)
        var now = JSONLine()
        now.add("perSecond", Int64(budget.limits.requestsPerSecond))
        now.add("granted", Int64(budget.granted))
        now.add("ahead", Int64(budget.ahead))
        now.add("free", Int64(budget.free))
        now.add("inFlight", Int64(budget.underWay))
        now.add("limitInFlight", Int64(budget.limits.inFlight))
        now.add("othersWait", budget.hasWaiters)
        now.add("pauseLeft", json: budget.pause.map { Self.number(Self.seconds($0)) } ?? "null")
        now.add("pauseCause", budget.pauseCause)
        line.add("budget", json: now.text)
        return line.text + "\n"
    }

    /// A few lines for a person.
    package var text: String {
        let limits = budget.limits
        var lines = ["\(path): GET \(Redaction.url(preview.url))", "calls: \(calls)"]
        lines += notes.map { "  \($0)" }
        lines.append("time:  \(time)")
        let waiting = budget.hasWaiters ? ", others wait" : ""
        lines.append(
            "budget now: \(budget.free) of \(limits.requestsPerSecond) calls free in this second, "
                + "\(budget.underWay) of \(limits.inFlight) requests under way\(waiting)")
        if let pause = budget.pause {
            let cause = budget.pauseCause.map { " (\($0))" } ?? ""
            lines.append(
                "the service limits us\(cause): nobody may send for \(ServiceEventText.rounded(Self.seconds(pause))) s")
        }
        return (lines + [hasAskedForZone ? "only the merchant's time zone was asked for" : "nothing was sent"]).map {
            Diagnostics.printable($0) + "\n"
        }.joined()
    }

    private var calls: String {
        func count(_ number: Int) -> String { number == 1 ? "1 call" : "\(number) calls" }
        if preview.callsAtMost == preview.callsAtLeast { return count(preview.callsAtLeast) }
        if let most = preview.callsAtMost { return "\(preview.callsAtLeast) to \(count(most))" }
        return "at least " + count(preview.callsAtLeast)
            + (isEverything ? preview.recordsPerCall.map { "; then one for each \($0) records" } ?? "" : "")
    }

    private var time: String {
        let rate = "\(budget.limits.requestsPerSecond) calls a second at most"
        let least = ServiceEventText.rounded(secondsAtLeast)
        if let most = secondsAtMost.map(ServiceEventText.rounded) {
            return (most == least ? "\(least) s" : "\(least) to \(most) s") + " of waiting for the budget, \(rate)"
        }
        return "at least \(least) s of waiting for the budget, \(rate)"
    }

    private var notes: [String] {
        var notes: [String] = []
        if asksForFacts { notes.append("one call asks for the merchant's time zone and currency") }
        if preview.asksForBeginning {
            notes.append(
                "one call asks how far back there can be records; then at least one for each 89 days since then, because "
                    + "the service answers for 90 days at a time")
        } else if let windows = preview.windows, windows > 1 {
            notes.append(
                "\(windows) windows of 89 days (those at either end may be shorter, and one after now longer), because the "
                    + "service answers for 90 days at a time")
        }
        if preview.mayCompleteLists {
            notes.append(
                "lists inside records that arrive with 100 entries are read by themselves: more calls, not known before"
            )
        }
        return notes
    }

    private static func seconds(_ duration: Duration) -> Double { duration / .seconds(1) }

    /// To the millisecond.
    private static func number(_ seconds: Double) -> String { "\((seconds * 1000).rounded() / 1000)" }
}

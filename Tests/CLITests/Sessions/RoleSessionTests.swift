import CloverTestSupport
import Foundation
import Testing

/// What eight kinds of users try first, without having read the manual: right words, words of other programs, and
/// mistakes.
@Suite("Sessions of eight kinds of users")
struct RoleSessionTests {
    private struct Role: Sendable, CustomTestStringConvertible {
        let name: String
        /// Command lines in a pipe; a leading `%` is one on a terminal of 80 columns. `FOLDER` is a new folder.
        let lines: [String]

        var testDescription: String { name }
    }

    private static let roles = [
        Role(
            name: "shop-helper",
            lines: [
                "%clover", "%clover get orders --limit 3", "%clover get sales", "%clover report today",
                "%clover report tenders --period 2026-01-31", "%clover report items --period 2026-01-31 --by item",
                "%clover get customers --limit 2 --fields firstName,lastName", "%clover get item --limit 1",
                "%clover reconcile --period 2026-01-31",
            ]),
        Role(
            name: "bookkeeper",
            lines: [
                "clover report sales --period 2026-01 --by week --format csv", "%clover report taxes --period 2026-01",
                "clover report tips --period january", "clover get refunds --filter createdTime=2026-01 --format csv",
                "clover get payments --period 2026-01-31 --limit 3 --format csv --money major --fields id,amount",
                "clover report sales --period 2026-01 --format pdf", "clover reconcile --period 2026-01-31 --json",
            ]),
        Role(
            name: "operator",
            lines: [
                "clover export status", "clover export items categories --to FOLDER --summary",
                "clover export status --jq {resource,lastRecords,failures}", "%clover export status --to FOLDER",
                "clover export status --fail-if-older-than 1h -q",
                "clover export status --format csv --fields resource,files",
                "clover export verify FOLDER", "clover limits --jq {scope,perSecond,granted}",
                "clover auth list --format tsv", "clover webhook list", "%clover webhook list",
                "clover charge recover --all",
            ]),
        Role(
            name: "data-engineer",
            lines: [
                "clover get orders --all --explain", "clover get orders --all --jq [.id,.total] --slurp -e",
                "clover export items --to sqlite:FOLDER.db -q",
                "clover export sql sqlite:FOLDER.db 'select count(*) as items from items'",
                "clover get orders --filter total>=50.00", "clover get orders --since 2026-01-01",
                "clover get payments --limit 2 --format tsv --fields id,amount,createdTime --times iso --zone UTC",
                "clover get orders --limit 1 --format parquet",
            ]),
        Role(
            name: "app-developer",
            lines: [
                "clover endpoints categories --format csv --fields method,path", "%clover schema Tender",
                "clover post items --field name=Tea --field price=4.25",
                "clover post items --field name=Tea --field price=425 --dry-run",
                "clover post items --field nam=Tea --dry-run", "clover get tenders --limit 1 --curl",
                "clover api /v3/merchants/{mId}/tenders?limit=1 --jq .elements[0].label",
                "clover delete items --param itemIds=A,B",
            ]),
        Role(
            name: "till-builder",
            lines: [
                "clover reader list", "clover charge --amount 12 --currency USD --card -",
                "clover charge --amount 12.50 --card -", "clover charge --amount 12.50 --currency USD",
                "clover charge --amount 12.50 --currency USD --card 4242424242424242",
                "clover charge --amount 12.50 --currency USD --reader", "clover charge list", "%clover charge list",
                "clover charge refund c_01NOSUCH",
            ]),
        Role(
            name: "gh-and-stripe",
            lines: [
                "clover whoami --jq .merchant", "clover api orders?limit=2 --jq '.elements | length'",
                "clover api tenders -f label=Voucher -F enabled=true --jq .label", "clover api -X PATCH orders",
                "clover api orders/NOSUCH", "clover api https://api.example.com/v3/merchants/{mId}/orders",
                "clover api items --paginate --jq '.elements | length'", "clover get orders --json id,total",
                "clover customers list", "clover charges list", "clover listen", "clover login", "clover logs tail",
                "clover open --print", "clover trigger",
            ]),
        Role(
            name: "terminal-user",
            lines: [
                "clover", "clover ordrs", "%clover get orders --limit 2 --fields id,total --format csv",
                "clover get orders --sort -total --limit 1 --jq .total", "clover get orders --limit -1",
                "clover get orders --jq .id, --limit 1", "clover help nope",
                "clover alias set today 'report sales --period today'", "%clover alias list",
                "clover alias list --format csv", "clover --verion", "clover get",
            ]),
    ]

    @Test("what they type, and what they see", arguments: roles)
    private func session(_ role: Role) async throws {
        try await Sandbox.run(emulator: ["--orders", "60"]) { sandbox, emulator in
            var session = try Session(sandbox)
            try session.hide(emulator.merchantID, "MERCHANTABCDE")
            // Every new command would change every session.
            try session.hide("ommands: [a-z, ]+", "ommands: ...")
            try session.hide(#""(calls|bytes|retries|granted)":[0-9]+"#, #""COUNT":0"#)
            try session.hide(#""(waited|seconds|lag|waitAtLeast|waitAtMost)":[0-9.]+"#, #""SECONDS":0"#)
            try session.hide("  [0-9]+ (d|h|min|s)  ", "  999 d  ")
            try session.hide("2[0-9]{3}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}", "DAY_______ TIME_")
            let folder = sandbox.directory["out"]
            for line in role.lines {
                let isTerminal = line.hasPrefix("%")
                let words = Self.words(line.replacing("FOLDER", with: folder))
                if isTerminal {
                    try await session.terminals(words, widths: [80])
                } else {
                    try await session.pipe(words)
                }
            }
            try Snapshot.check(session.text, "role-" + role.name)
        }
    }

    /// The words behind `clover`, with single quotes as in a shell.
    private static func words(_ line: String) -> [String] {
        var words: [String] = []
        for (index, part) in line.split(separator: "'", omittingEmptySubsequences: false).enumerated() {
            if index.isMultiple(of: 2) {
                words += part.split(separator: " ").map(String.init)
            } else {
                words.append(String(part))
            }
        }
        return Array(words.dropFirst())
    }
}

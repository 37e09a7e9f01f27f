import CloverTestSupport
import Testing

/// What people who come from other programs type first: the message names what they meant, or nothing.
@Suite("usage: suggestions are right, or there is none; nothing is sent")
struct SuggestionTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let arguments: [String]
        let says: [String]
        var never: [String] = []
        var testDescription: String { arguments.joined(separator: " ") }
    }

    static let rows = [
        Row(
            arguments: ["get", "orders", "--since", "2026-01-01"],
            says: ["unknown option '--since'", "--filter 'createdTime>=2026-01-01'"], never: ["--zone", "did you mean"]),
        Row(
            arguments: ["get", "items", "--until=-7d"],
            says: ["unknown option '--until'", "--filter 'modifiedTime<-7d'"], never: ["did you mean"]),
        Row(
            arguments: ["get", "payments", "--day", "2026-01-05"],
            says: ["unknown option '--day'", "--filter 'createdTime in (2026-01-05)'"], never: ["did you mean"]),
        Row(
            arguments: ["get", "orders", "--since", "7d", "--until", "2d"],
            says: ["--filter 'createdTime>=-7d' --filter 'createdTime<-2d'"]),
        Row(
            arguments: ["open", "docs", "https://example.com/x"],
            says: ["opens pages below https://docs.clover.com/dev"]),
        Row(arguments: ["open", "orders", ""], says: ["takes an ID or a path"]),
        Row(arguments: ["get", "orders", "-C"], says: ["jq -C ."]),
        Row(
            arguments: ["get", "sales"], says: ["unknown path 'sales'", "did you mean: clover report sales"],
            never: ["roles"]),
        Row(
            arguments: ["get", "sales", "--since", "7d"],
            says: ["unknown path 'sales'", "did you mean: clover report sales\n", "--period 20"],
            never: ["createdTime", "unknown option"]),
        Row(
            arguments: ["get", "orders", "--json", "id"],
            says: ["--json takes no value, and 'id' is no ID", "--fields id"]),
        Row(arguments: ["get", "orders", "--json", "id,total"], says: ["--fields id,total"]),
        Row(
            arguments: ["help", "cron", "--html"], says: ["takes no '--html'", "run: clover help cron"],
            never: ["did you mean"]),
        Row(
            arguments: ["help", "mcp", "--json"], says: ["takes no '--json'", "run: clover help mcp"],
            never: ["unknown option"]),
        Row(
            arguments: ["help", "get", "--man"], says: ["'clover help get' is a page of text, and takes no '--man'"],
            never: ["unknown option", "commands:"]),
        Row(
            arguments: ["help", "auth", "login", "--man"], says: ["run: clover help auth login\n"],
            never: ["unknown option"]),
        Row(
            arguments: ["get", "orders", "--filter", "total>50.00"],
            says: [
                "total takes a whole number of cents, or of the currency's smallest unit, not '50.00'",
                "for 50.00 in dollars, write 5000",
            ]),
        Row(arguments: ["get", "orders", "--filter", "total>=$12,5"], says: ["write 1250"]),
        Row(arguments: ["get", "orders", "--filter", "total>1,000"], says: ["for 1,000 in dollars, write 100000"]),
        Row(
            arguments: ["get", "items", "--filter", "hidden=maybe"], says: ["hidden takes true or false, not 'maybe'"]),
        Row(
            arguments: ["get", "orders", "--filter", "paymentState=PAID"],
            says: ["unknown filter 'paymentState' for orders", "it takes: createdTime, id, total"],
            never: ["did you mean"]),
        Row(
            arguments: ["get", "refunds", "--filter", "shoe=1"],
            says: ["unknown filter 'shoe' for refunds", "it takes: createdTime, id, total"], never: ["did you mean"]),
        Row(arguments: ["get", "orders", "--filters", "a=1"], says: ["did you mean: --filter"]),
        Row(
            arguments: ["get", "orders", "--where", "a=1"], says: ["unknown option '--where'", "--filter"],
            never: ["did you mean"]),
        Row(arguments: ["get", "orders", "--where", "total<300"], says: ["to choose records: --filter 'total<300'\n"]),
        Row(arguments: ["get", "orders", "--where=total<3.50"], says: ["for example: --filter 'total>=5000'\n"]),
        Row(
            arguments: ["get", "items", "--where", "what"], says: ["for example: --filter 'modifiedTime>=yesterday'\n"]),
        Row(arguments: ["get", "orders", "--order-by", "total"], says: ["to sort: --sort total:asc\n"]),
        Row(arguments: ["get", "orders", "--order-by=-total"], says: ["to sort: --sort total:desc\n"]),
        Row(arguments: ["get", "orders", "--sort-by", "createdTime DESC"], says: ["--sort createdTime:desc\n"]),
        Row(
            arguments: ["report", "sale"],
            says: ["the value 'sale' is invalid", "did you mean: sales", "it is one of: sales,"]),
        Row(arguments: ["get", "items", "--filter", "hidden=1"], says: ["hidden takes true or false, not '1'"]),
        Row(arguments: ["get", "payments", "--filter", "result=SUCCES"], says: ["did you mean: SUCCESS\n"]),
        Row(
            arguments: ["get", "items", "--filter", "priceType=FIXD"],
            says: ["unknown filter 'priceType'", "select(.priceType == ...)"], never: ["FIXED"]),
        Row(
            arguments: ["get", "order_types", "--expand", "zzqq"], says: ["it takes: "], never: ["did you mean"]),
        Row(arguments: ["get", "roles", "--expand", "zzqq"], says: ["it takes: "], never: ["did you mean"]),
        Row(arguments: ["get", "charges", "--filter", "bogus=1"], says: ["it takes: "], never: ["did you mean"]),
        Row(
            arguments: ["get", "orders", "--name", "5"], says: ["clover endpoints orders"], never: ["did you mean"]),
        Row(arguments: ["get", "orders", "--count"], says: ["to count records: --all --jq .id | wc -l"]),
        Row(arguments: ["get", "orders", "--count", "5"], says: ["--limit N"]),
        Row(arguments: ["get", "ordertypes"], says: ["did you mean: order_types\n"]),
        Row(arguments: ["get", "orders/X/lines"], says: ["below it there is: "], never: ["did you mean"]),
        Row(arguments: ["completion", "bsh"], says: ["did you mean: bash\n"]),
        Row(arguments: ["sync"], says: ["did you mean: export\n"], never: ["get sync"]),
        Row(arguments: ["show", "sync"], says: ["there is no command 'show'"], never: ["get sync"]),
        Row(arguments: ["print_event"], says: ["there is no command"], never: ["get print_event"]),
        Row(arguments: ["stats"], says: ["did you mean: report sales\n"]),
        Row(arguments: ["doc"], says: ["did you mean: open docs\n"]),
        Row(arguments: ["set"], says: ["did you mean: config set, alias set\n"]),
        Row(arguments: ["item"], says: ["did you mean: get items"]),
        Row(arguments: ["employee"], says: ["did you mean: get employees"]),
        Row(arguments: ["open", "docs", "orders/{orderId}/line_items"], says: ["clover endpoints 'orders/{orderId}"]),
        Row(arguments: ["get", "orders", "--debug", "5"], says: ["--debug takes request, headers", "not '5'"]),
        Row(arguments: ["get", "items", "--csv"], says: ["unknown option '--csv'", "--format csv"]),
        Row(arguments: ["get", "orders", "--today"], says: ["unknown option '--today'", "--period today"]),
        Row(arguments: ["auth", "login", "--token"], says: ["unknown option '--token'", "--with-token"]),
        Row(arguments: ["report", "sales", "yesterday"], says: ["did you mean: --period yesterday"]),
        Row(arguments: ["reconcile", "last-week"], says: ["did you mean: --period last-week"]),
        Row(arguments: ["report", "sales", "--json", "id"], says: ["--json takes no value"]),
        Row(
            arguments: ["charge", "--amount", "1.00", "--currency", "USD", "--card"],
            says: ["--card takes '-'", "--card -"]),
        Row(arguments: ["reconcile", "everything"], says: ["unexpected argument"], never: ["did you mean"]),
        Row(
            arguments: ["get", "items", "--csv-safe"], says: ["--csv-safe is for csv only", "add --format csv"],
            never: ["choose one"]),
        Row(arguments: ["create", "items"], says: ["did you mean: post items\n"], never: ["charge create"]),
        Row(arguments: ["patch", "items/ID"], says: ["did you mean: post items/ID\n"]),
        Row(arguments: ["show", "orders"], says: ["did you mean: get orders\n"], never: ["charge show"]),
        Row(arguments: ["list", "orders"], says: ["did you mean: get orders\n"], never: ["auth list"]),
        Row(arguments: ["list", "charges"], says: ["did you mean: charge list\n"]),
        Row(arguments: ["watch", "orders"], says: ["did you mean: follow orders\n"], never: ["auth watch"]),
        Row(arguments: ["tail", "orders"], says: ["did you mean: follow orders\n"]),
        Row(arguments: ["browse"], says: ["did you mean: open\n"]),
        Row(arguments: ["list", "staff"], says: ["did you mean: get employees\n"]),
        Row(arguments: ["products"], says: ["did you mean: get items\n"]),
        Row(arguments: ["alias", "rm", "X"], says: ["did you mean: alias delete\n"]),
        Row(arguments: ["alias", "ls"], says: ["did you mean: alias list\n"]),
        Row(arguments: ["charge", "12.50"], says: ["did you mean: charge --amount 12.50 --currency USD\n"]),
        Row(arguments: ["charge", "get", "ID"], says: ["did you mean: charge show\n"]),
        Row(arguments: ["charge", "cancel", "ID"], says: ["did you mean: charge void\n"]),
        Row(arguments: ["get", "order_items"], says: ["orders --expand lineItems"], never: ["order_fees"]),
        Row(arguments: ["get", "line_items"], says: ["did you mean: orders --expand lineItems"]),
        Row(arguments: ["get", "menu"], says: ["did you mean: items, categories"]),
        Row(arguments: ["get", "inventory"], says: ["did you mean: items, item_stocks"]),
        Row(arguments: ["get", "transactions"], says: ["did you mean: payments"]),
        Row(arguments: ["endpoints", "products"], says: ["did you mean: items"]),
        Row(arguments: ["export", "products"], says: ["did you mean: items"]),
        Row(arguments: ["export", "check"], says: ["did you mean: clover export verify"]),
        Row(arguments: ["get", "orders", "--format", "jsonl"], says: ["did you mean: ndjson"], never: ["xlsx"]),
        Row(
            arguments: ["get", "orders", "--format", "excel"], says: ["spreadsheets open --format csv"],
            never: ["xlsx"]),
        Row(arguments: ["get", "orders", "-n", "1"], says: ["--limit N"]),
        Row(arguments: ["get", "orders", "--follow"], says: ["clover follow orders"], never: ["did you mean"]),
        Row(arguments: ["get", "orders", "--order", "desc"], says: ["for example: --sort total:desc"]),
        Row(arguments: ["get", "orders", "today"], says: ["'today' is no ID", "--period today"]),
        Row(arguments: ["get", "items", "--filter", "name like %latte%"], says: ["--jq 'select(.name // "]),
        Row(arguments: ["get"], says: ["the path is missing", "such as: orders"]),
        Row(arguments: ["api", "orders", "-q", ".id"], says: ["did you mean: --jq '.id'"]),
        Row(arguments: ["api", "orders", "--limit", "1"], says: ["clover api 'orders?limit=1"]),
        Row(arguments: ["post", "items", "-d", "{}"], says: ["--input FILE"]),
        Row(arguments: ["report"], says: ["which report?", "it is one of: sales,"]),
        Row(
            arguments: ["report", "sales", "--from", "2026-10-01", "--to", "2026-10-31"],
            says: ["unknown option '--to'", "--period 2026-10-01..2026-10-31"]),
        Row(arguments: ["report", "sales", "--from", "2026-10-01"], says: ["--from takes a database", "--period"]),
        Row(arguments: ["report", "sales", "--since=2026-10-01"], says: ["--period 2026-10-01..today"]),
        Row(arguments: ["report", "sales", "--month", "2026-10"], says: ["--period 2026-10\n"]),
        Row(
            arguments: ["report", "sales", "--since", "7d"], says: ["to choose the days: --period 20", "..today\n"],
            never: ["7d"]),
        Row(
            arguments: ["report", "sales", "--since", "noon"], says: ["unknown option '--since'"], never: ["--period"]),
        Row(arguments: ["report", "sales", "--month", "10"], says: ["for example: --period 2026-10\n"]),
        Row(arguments: ["get", "orders", "--day", "monday"], says: ["in (yesterday)"], never: ["(monday)"]),
        Row(arguments: ["get", "orders", "--since", "monday"], says: ["createdTime>=yesterday"], never: ["monday"]),
        Row(arguments: ["export", "orders", "--from", "7d"], says: ["--since=-7d\n"]),
        Row(arguments: ["report", "sales", "--period", "10/2026"], says: ["did you mean 2026-10?"]),
        Row(arguments: ["report", "sales", "--period", "Q3"], says: ["2026-Q3"]),
        Row(
            arguments: ["report", "sales", "--by", "employee"],
            says: ["has no --by employee", "for that: clover report employees"]),
        Row(
            arguments: ["report", "hours", "--by", "weekday"],
            says: ["'clover report hours' has no --by: without it, there is a row for each hour of each weekday"],
            never: ["it is one of"]),
        Row(
            arguments: ["report", "hours", "--by", "hour"], says: ["a row for each hour of each weekday"],
            never: ["clover report hours\n"]),
        Row(arguments: ["report", "sales", "--by", "weekday"], says: ["for weekdays by hour: clover report hours"]),
        Row(
            arguments: ["report", "tenders", "--by", "tender"], says: ["there is a row for each tender\n"]),
        Row(
            arguments: ["report", "sales", "--by", "quarter"], says: ["it is one of: day, week, month, hour\n"],
            never: ["tender"]),
        Row(
            arguments: ["export", "--period", "2026-10", "payments"],
            says: ["unknown option '--period'", "--day 2026-10"], never: ["several resources"]),
        Row(
            arguments: ["export", "schedule", "--every", "1d", "--systemd", "--", "orders", "payments", "--to", "out"],
            says: ["unknown option '--systemd'", "--print systemd"], never: ["several resources"]),
        Row(arguments: ["export", "status", "exports"], says: ["did you mean: --to exports"]),
        Row(arguments: ["export", "orders", "--to", "shop.db"], says: ["did you mean sqlite:shop.db?"]),
        Row(arguments: ["export", "orders", "--to", "s3:books"], says: ["s3://BUCKET/PREFIX"]),
        Row(
            arguments: ["export", "orders", "--to", "sqlite:shop.db", "--profiles", "all"],
            says: ["--profile NAME --to sqlite:NAME.db"]),
        Row(arguments: ["charge", "list", "--status", "unknown"], says: ["--state approved"]),
        Row(
            arguments: ["charge", "--amount", "12.50", "--card", "-"],
            says: ["--currency is missing", "--currency USD"]),
        Row(arguments: ["completion", "bash", "-o", "x"], says: ["to write it to a file: >FILE\n"]),
        Row(arguments: ["version", "-o", "x"], says: ["to write it to a file: >FILE\n"]),
        Row(arguments: ["follow", "orders", "-o", "x"], says: ["changes without an end", ": >FILE, or >>FILE"]),
        Row(arguments: ["completion", "-s", "zsh"], says: ["clover completion zsh"]),
        Row(arguments: ["get", "orders", "--format", "jsn"], says: ["did you mean: json", "it is one of: ndjson"]),
        Row(
            arguments: ["get", "orders", "--jq", ".a", "--jq", ".b"],
            says: ["--jq is given twice: join the programs with |"]),
        Row(arguments: ["get", "orders", "--jq-file", "p.jq"], says: ["--from-file FILE"], never: ["--profile"]),
        Row(
            arguments: ["refunds", "create", "--charge=c"], says: ["did you mean: charge refund\n"],
            never: ["get refunds"]),
        Row(arguments: ["items", "create", "--name", "x"], says: ["did you mean: post items\n"]),
        Row(arguments: ["order", "list"], says: ["did you mean: get orders\n"]),
        Row(arguments: ["repo", "list"], says: ["there is no command 'repo'"], never: ["did you mean"]),
        Row(arguments: ["repo"], says: ["there is no command 'repo'"], never: ["did you mean"]),
        Row(arguments: ["repo", "clone", "x"], says: ["there is no command 'repo'"], never: ["did you mean"]),
        Row(arguments: ["wait", "orders"], says: ["there is no command 'wait'"], never: ["did you mean"]),
        Row(arguments: ["get-orders"], says: ["did you mean: get orders\n"]),
        Row(arguments: ["list-tax-rates"], says: ["did you mean: get tax_rates\n"]),
        Row(arguments: ["config", "get-contexts"], says: ["config has no command"], never: ["did you mean"]),
        Row(arguments: ["opening", "hours"], says: ["did you mean: get opening_hours\n"]),
        Row(arguments: ["find", "latte"], says: ["there is no command 'find'"], never: ["did you mean"]),
        Row(arguments: ["serve"], says: ["did you mean: emulator serve\n"]),
        Row(arguments: ["explain", "orders"], says: ["did you mean: endpoints orders, schema orders\n"]),
        Row(arguments: ["today"], says: ["did you mean: report sales --period today\n"]),
        Row(arguments: ["sign", "in"], says: ["did you mean: auth login\n"]),
        Row(arguments: ["pay", "12.50"], says: ["did you mean: charge --amount 12.50 --currency USD\n"]),
        Row(arguments: ["import", "items.csv"], says: ["did you mean: post\n"], never: ["auth import"]),
        Row(arguments: ["auth", "setup-git"], says: ["auth has no command 'setup-git'"]),
        Row(arguments: ["get", "orders", "-r", ".id"], says: ["'.id' is no ID", "--jq '.id'"]),
        Row(arguments: ["get", "orders", "help"], says: ["'help' is no ID", "clover help get"]),
        Row(arguments: ["get", "sale"], says: ["did you mean: clover report sales"]),
        Row(arguments: ["get", "reports"], says: ["did you mean: clover report\n"]),
        Row(
            arguments: ["--profile", "emulator", "get", "orders"],
            says: ["options follow the command: clover get orders --profile emulator\n"]),
        Row(arguments: ["-v"], says: ["did you mean: --version"]),
        Row(arguments: ["get", "orders", "--max-items", "3"], says: ["--limit N"]),
        Row(arguments: ["get", "orders", "--output-file", "x"], says: ["--output FILE"]),
        Row(arguments: ["get", "orders", "--region", "us"], says: ["--environment sandbox"]),
        Row(
            arguments: ["get", "customers", "--phone", "555"], says: ["--filter 'phoneNumber=555'"], never: ["--zone"]),
        Row(arguments: ["get", "items", "--name", "latte"], says: ["--filter 'name=latte'"], never: ["--names"]),
        Row(arguments: ["get", "items", "--excel"], says: ["--format csv"], never: ["xlsx"]),
        Row(arguments: ["config", "--list"], says: ["did you mean: config list"]),
        Row(arguments: ["api", "GET", "orders"], says: ["did you mean: clover api orders\n"]),
        Row(arguments: ["api", "put", "items"], says: ["did you mean: clover api -X PUT items\n"]),
        Row(
            arguments: ["get", "orders", "--filter", "total==5000"], says: ["--filter 'total=5000'"], never: ["latte"]),
        Row(arguments: ["get", "orders", "--filter", "total=>5000"], says: ["--filter 'total>=5000'"]),
        Row(arguments: ["get", "orders", "--filter", "total"], says: ["--filter 'total=VALUE'"], never: ["latte"]),
        Row(
            arguments: ["get", "orders", "--filter", "total>5000 and state=open"],
            says: ["one filter each: --filter 'total>5000' --filter 'state=open'"], never: ["--no-check"]),
        Row(arguments: ["get", "orders", "--sort", "total desc"], says: ["did you mean: total:desc"]),
        Row(arguments: ["report", "sales", "--format", "pdf"], says: ["it is one of: ndjson", ", xlsx\n"]),
        Row(arguments: ["report", "sales", "last", "week"], says: ["did you mean: --period last-week"]),
        Row(arguments: ["report", "staff"], says: ["did you mean: employees\n"]),
        Row(arguments: ["report", "help"], says: ["did you mean: clover help report\n"]),
        Row(
            arguments: ["charge", "--amount", "12,50", "--card", "4242424242424242"],
            says: ["--currency is missing", "written as 12.50, not '12,50'", "--card takes -"],
            never: ["4242424242424242"]),
        Row(arguments: ["charge", "list", "--today"], says: ["--period today"]),
        Row(
            arguments: ["export", "orders", "-o", "o.csv", "--format", "csv"],
            says: ["unknown option '-o'", "--format csv >FILE"], never: ["several resources"]),
        Row(arguments: ["export", "orders", "--from", "2026-11-01"], says: ["--since 2026-11-01\n"]),
        Row(arguments: ["export", "orders", "--end-date", "2026-11-01"], says: ["--until 2026-11-01\n"]),
        Row(arguments: ["export", "orders", "--incremental"], says: ["writes only what has changed"]),
        Row(arguments: ["export", "--all"], says: ["--for-reports"]),
        Row(arguments: ["export", "sql", "--to", "sqlite:shop.db", "SELECT 1"], says: ["export sql sqlite:FILE"]),
        Row(arguments: ["get", "orders", "--start", "2026-01-01"], says: ["--filter 'createdTime>=2026-01-01'"]),
        Row(arguments: ["endpoints", "--search", "refund"], says: ["endpoints | grep WORD"]),
        Row(arguments: ["checkout", "create", "--amount", "10.00"], says: ["--item 'Tea=4.25'"]),
        Row(arguments: ["post", "orders", #"{"state":"open"}"#], says: ["the body is no argument", "--input -"]),
        Row(arguments: ["post", "items", "name=Tea"], says: ["'name=Tea' is no ID", "--field name=Tea"]),
        Row(arguments: ["post", "items", "name=Tea", "price=300"], says: ["--field name=Tea"]),
        Row(arguments: ["report", "sales", "--period", "q1"], says: ["with its year, such as 2026-Q1"]),
        Row(arguments: ["report", "sales", "--period", "Sept"], says: ["with its year, such as 2026-09"]),
        Row(arguments: ["report", "sales", "--period", "jan 2026"], says: ["did you mean 2026-01?"]),
        Row(arguments: ["report", "sales", "--period", "marketing"], says: ["not a period"], never: ["2026-03"]),
        Row(arguments: ["report", "sales", "--period", "2026-1"], says: ["did you mean 2026-01?"]),
        Row(arguments: ["report", "sales", "--period", "2026/1/5"], says: ["did you mean 2026-01-05?"]),
        Row(arguments: ["report", "sales", "--period", "2026-13"], says: ["not a period"], never: ["did you mean"]),
        Row(arguments: ["report", "sales", "--group-by", "day"], says: ["to group: --by day\n"]),
        Row(arguments: ["report", "sales", "--interval=weekly"], says: ["to group: --by week\n"]),
        Row(arguments: ["report", "items", "--group-by", "day"], says: ["unknown option"], never: ["--by day"]),
        Row(arguments: ["auth", "whoami"], says: ["did you mean: whoami\n"]),
        Row(arguments: ["event", "list"], says: ["did you mean: webhook list\n"]),
        Row(arguments: ["emulator", "start"], says: ["did you mean: emulator serve\n"]),
        Row(arguments: ["health"], says: ["did you mean: doctor\n"]),
        Row(arguments: ["trigger", "order.created"], says: ["did you mean: webhook trigger\n"]),
        Row(
            arguments: ["schema", "orders.LineItem"], says: ["did you mean: order.LineItem"],
            never: ["LineItemTaxRates"]),
        // What was meant is not lost among all commands.
        Row(arguments: ["login"], says: ["did you mean: auth login\n"], never: ["commands:"]),
    ]

    @Test("each is refused with what was meant", arguments: rows)
    func refused(_ row: Row) async throws {
        try await Sandbox.run(server: { _, _ in
            LoopbackResponse(
                headers: ["Content-Type: application/json", "X-Clover-Allowed-Filter-Fields: id, total, createdTime"],
                body: LoopbackResponse.envelope([]))
        }) { sandbox, server in
            let result = try await sandbox.clover(row.arguments)
            let text = result.errorText
            #expect(result.ending == .exited(64), "\(result)")
            #expect(result.outputText == "", "\(result)")
            for part in row.says { #expect(text.contains(part), "no '\(part)' in: \(text)") }
            for part in row.never { #expect(!text.contains(part), "'\(part)' is in: \(text)") }
            // Clover is asked which filters it has; nothing else is sent.
            #expect(server.requests.allSatisfy { $0.query == ["limit=1"] }, "\(server.requests)")
        }
    }

    @Test("help of a report or a list is the page of its command; a sign-in is never advised under the name 'all'")
    func others() async throws {
        try await Sandbox.run { sandbox in
            let page = try await sandbox.clover("help", "report")
            let sales = try await sandbox.clover("help", "report", "sales")
            #expect(sales.outputText == page.outputText, "\(sales)")
            let orders = try await sandbox.clover("help", "get", "orders")
            #expect(orders.outputText.contains("USAGE: clover get"), "\(orders)")
            expectFailure(
                try await sandbox.clover("get", "orders", "--profile", "all"), status: 77,
                saying: "no sign-in has the name 'all'", "--profiles all")
        }
    }

    @Test(
        "an alias has a page of help; a name in the place of an ID is looked for by name; failures of jq say what it gets"
    )
    func aside() async throws {
        try await Sandbox.run(emulator: ["--orders", "2"], weight: 2) { sandbox, _ in
            let set = try await sandbox.clover("alias", "set", "top", "report items --period today")
            #expect(set.ending == .exited(0), "\(set)")
            let alias = try await sandbox.clover("help", "top")
            #expect(alias.outputText == "'top' is an alias for: clover report items --period today\n", "\(alias)")
            expectFailure(
                try await sandbox.clover("get", "items", "Espresso"), status: 66, saying: "'Espresso' is no ID",
                "clover get items --filter 'name=Espresso'")
            expectFailure(
                try await sandbox.clover("api", "merchants/{mId}"), status: 66, saying: "clover get merchant",
                output: nil)
            expectFailure(
                try await sandbox.clover("api", "graphql"), status: 66, saying: "the catalogue has no path 'graphql'",
                output: nil)
            expectFailure(
                try await sandbox.clover("get", "orders", "--jq", "map(.id)"), status: 65, saying: "add --slurp")
            let file = try await sandbox.clover("get", "items", "--limit", "1", "-o", "yaml")
            #expect(file.ending == .exited(0), "\(file)")
            #expect(file.errorText.contains("the records are in the file 'yaml'"), "\(file)")
        }
    }

    @Test(
        "a filter that a list without documented filters does not have is refused before it is sent, with those it has")
    func undocumented() async throws {
        try await Sandbox.run(server: { _, _ in
            LoopbackResponse(
                headers: ["Content-Type: application/json", "X-Clover-Allowed-Filter-Fields: id, createdTime"],
                body: LoopbackResponse.envelope([]))
        }) { sandbox, server in
            let result = try await sandbox.clover("get", "refunds", "--filter", "amount>100")
            expectFailure(result, status: 64, saying: "unknown filter 'amount' for refunds", "createdTime, id")
            #expect(server.requests.allSatisfy { $0.query == ["limit=1"] }, "\(server.requests)")
        }
    }

    @Test("a refusal by the service names the user's filter, without what clover added to the address")
    func refusedByService() async throws {
        try await Sandbox.run(
            server: { _, _ in .init(status: "400 Bad Request", #"{"message":"Unsupported filter field: amount"}"#) }
        ) { sandbox, server in
            let result = try await sandbox.clover("get", "payments", "--filter", "amount>100")
            expectFailure(
                result, status: 64, saying: "(400)", "the filter was: 'amount>100'", "Unsupported filter field")
            #expect(!result.errorText.contains("createdTime"), "\(result)")
            #expect(!server.requests.isEmpty)
        }
    }
}

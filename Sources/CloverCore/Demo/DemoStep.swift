/// One stop of the guided tour.
struct DemoStep: Sendable {
    /// What there is to see.
    let words: String
    /// A line of shell.
    let line: String

    /// The ten of them. The files are in the tour's folder.
    static let all = [
        DemoStep(
            words: "Sign in: the token comes through standard input, never as an argument.",
            line: "clover auth login --profile demo --with-token --merchant $MERCHANT --environment $URL <token.txt"),
        DemoStep(words: "Who is signed in.", line: "clover auth status"),
        DemoStep(
            words: "Records, one JSON object a line; on a terminal a table, which --format asks for anywhere.",
            line: "clover get orders --sort createdTime:desc --limit 3 --format table"),
        DemoStep(
            words: "Only what matches, and only some of it: the service filters, jq is inside.",
            line: "clover get orders --filter 'total>=5000' --limit 3 --jq '{id, total}'"),
        DemoStep(
            words: "What belongs to a record comes with it.",
            line: "clover get orders --expand lineItems --limit 2 --jq '[.lineItems.elements[].name]'"),
        DemoStep(
            words: "Every order, in one array: status 0 says that none is missing.",
            line: "clover get orders --all --slurp --jq 'group_by(.state)[] | {state: .[0].state, orders: length}'"),
        DemoStep(
            words: "For a spreadsheet, with amounts in dollars.",
            line: "clover get items --limit 3 --format csv --fields name,price --money major"),
        DemoStep(
            words: "Something new; the types are those of the service's model.",
            line: "clover post items --field name='Oat latte' --field price=520 --json"),
        DemoStep(
            words: "A payment: written down before it is sent, so that nothing charges twice.",
            line: "clover charge --amount 12.50 --currency USD --card - <card.json"),
        DemoStep(words: "The budget of requests that all of this shared.", line: "clover limits"),
    ]
}

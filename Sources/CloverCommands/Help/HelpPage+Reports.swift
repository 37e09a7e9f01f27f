extension HelpPage {
    /// `clover help reports`.
    static let reports = HelpPage(
        name: "reports", summary: "what the columns of reports and the findings of reconcile mean",
        sections: [
            Section(
                .text(
                    """
                    'clover report' and 'clover reconcile' read payments, their orders, refunds and credits, and \
                    compute with whole minor units of the shop's currency. Clover publishes no formulas for its own \
                    reports; these follow its calculator of orders and its descriptions of fields.
                    """)),
            Section(
                "Measures",
                .list([
                    ("orders", "Sales of the period."),
                    (
                        "grossSales",
                        "Lines that are revenue, with their modifications, before discounts. In shops whose prices contain tax (VAT), it contains the tax."
                    ),
                    ("discounts", "Discounts of lines, and the shares of discounts of orders, on revenue lines."),
                    (
                        "refunds",
                        "Goods of refunds: the amount without tax, tip, service charge and surcharges, and without what was not revenue."
                    ),
                    ("manualRefunds", "Credits, which belong to no payment, without their tax."),
                    ("includedTax", "Tax that prices contain; only in shops with VAT."),
                    ("netSales", "grossSales - discounts - refunds - manualRefunds - includedTax."),
                    ("tax", "Tax of payments, minus that of refunds and credits."),
                    ("serviceCharges", "Service charges and order fees of the sales, minus refunded ones."),
                    ("tips", "Tips of payments, minus refunded ones."),
                    ("nonRevenue", "Lines that are no revenue, such as gift cards sold, minus refunded ones."),
                    ("amountCollected", "Payments with tips, minus refunds and credits."),
                    (
                        "unpaidBalance",
                        "netSales + tax + serviceCharges + tips + nonRevenue - amountCollected: what is still owed, or was paid on another day. A remark says what it consists of. Tax follows the payments, so that it is without the tax of what is owed; 'clover reconcile' has the whole debt."
                    ),
                ])),
            Section(
                "Other columns",
                .list([
                    (
                        "id, name",
                        "In categories: the first category that the item lists, so that an item in two of them counts once."
                    ),
                    ("quantity", "Pieces, or units of what is sold by unit, in items and categories."),
                    ("refunds, manualRefunds", "In employees and tenders: the money that was given back."),
                    ("tipsOpen", "Payments whose tip may still change, until the card transactions are closed."),
                    ("percent", "Tips as a percentage of the payments' amounts."),
                    ("goods, tax, tip", "What a refund consists of. days is the number of days since its payment."),
                    (
                        "hour",
                        "The hour on the shop's clock; both hours of a repeated one are in one row. With --day-start, the hours after midnight belong to the weekday before, and come last."
                    ),
                ])),
            Section(
                "What counts",
                .text(
                    """
                    Payments with the result SUCCESS, of orders that are no tests. A payment that is voided, failed, \
                    pending or only authorized does not count. Refunds and credits count unless they were voided, deleted or \
                    failed. A payment with a result that Clover does not document, and a refund or credit that is pending \
                    or whose status or result Clover does not document, are not counted, and named, with the status 79. \
                    An open order without a payment is no sale. An order with a total and no lines, as a charge without \
                    items makes it, counts as one line of its total without tax. An order that comes without a list of lines \
                    is asked for them; if they cannot be read, it counts as one line, and is named, with the status 79. An order of 0 that is marked as paid \
                    without a payment is no sale, and is counted in a remark. A line that was exchanged is no goods. An \
                    order counts only if the list of payments has one of the order's on its day, be it one that cannot be \
                    read.
                    """),
                .text(
                    """
                    A sale belongs to the day of the order's first payment that counts; tax, tips and money to the day \
                    of each payment; a refund to the day of the refund. A record's time is the device's, unless it is \
                    more than a day ahead of the server's or more than eight days behind; --clock server takes the \
                    server's. A day begins at midnight in the shop's time zone, or at --day-start: at the first of two such \
                    times on the day when clocks are set back, and at the change of the clocks if they skip it. The times of refunds are \
                    in the same time zone in tables, and in CSV and TSV, with its offset, as in \
                    2026-10-06T12:00:00.000-04:00; in JSON they are UTC.
                    """),
                .text(
                    """
                    Discounts of an order are shared among its lines in proportion to their amounts, in whole minor \
                    units, the rest to the largest remainders. A refund with lines is shared among them in the same \
                    way; one without lines has a separate row.
                    """)),
            Section(
                "What a report proves",
                .text(
                    """
                    With status 0, every list was read to its end, or, for refunds and credits, to where the order of the \
                    list proves that all others are older than the period (reconcile reads all refunds); the total of every order that was fully paid is the \
                    sum of its lines, discounts, charges and tax, every record could be read, each refund of the period has a payment that was paid and is not above it, and the rows \
                    add up to the measures above. Refunds of other days are for 'clover reconcile'.
                    """),
                .text(
                    """
                    Otherwise the report is printed, the records are named on standard error, and the status is 79: a list \
                    may be incomplete; a record cannot be read, or an order lacks its line items; it is unknown whether a payment, refund or credit counts; an order's total is not the sum of its parts, is missing, or \
                    leaves another tax than its payments have; an order or payment is in another currency than the shop's; a \
                    refund has no payment, an unpaid one, or names a line that its order does not have; refunds of the \
                    period are above their payment; an order and \
                    the list of payments differ in their payments, or in the amount, tip or tax of one; the rows do not add up; or, with --from, the last export \
                    was before the end of the period, or the database lacks an order that a payment or refund names and \
                    that no export marked as deleted.
                    """)),
            Section(
                "Findings of reconcile",
                .list([
                    (
                        "partly_paid",
                        "Less was paid than the order's total, which its lines and their tax explain, and no hold that was captured in part, nor a part of a charge that was accepted."
                    ),
                    ("overpaid", "More was paid than the order's total."),
                    (
                        "paid_twice",
                        "Two payments of the same amount within five minutes, and more was paid than the total."
                    ),
                    (
                        "total_differs",
                        "The order's total is not the sum of its lines, discounts and charges, with their tax."
                    ),
                    ("total_missing", "The order has no total, so that it cannot be checked."),
                    (
                        "line_items_missing",
                        "The order came without its line items, and they could not be read separately. The status is 79. With 'clover report --from', the database has it without them."
                    ),
                    (
                        "tax_differs",
                        "The tax of the order's payments is not its total minus its lines, discounts and charges."
                    ),
                    (
                        "currency_differs",
                        "The currency of an order or payment is not the shop's, and its amounts were added nevertheless."
                    ),
                    (
                        "payment_not_listed",
                        "An order has a payment that the list of payments lacks; it may have come while the lists were read."
                    ),
                    (
                        "payment_not_in_order",
                        "The list of payments has more payments of an order than the order itself, or one of them with another amount, tip, tax or day. Sums and checks take the list's; the order may be counted wrong. Or an ecommerce charge names another order than that of its payment."
                    ),
                    ("refund_above_payment", "More was refunded than was paid."),
                    ("refund_without_payment", "A refund has no payment."),
                    ("refund_of_unpaid_payment", "A refund's payment was voided or failed, so that nothing was paid."),
                    ("refund_of_unknown_payment", "A refund's payment does not exist."),
                    ("refund_line_differs", "A refund names a line that its order does not have."),
                    ("refund_without_order", "The order of a refund is gone."),
                    ("credit_without_order", "A credit (manual refund) names an order that is gone."),
                    ("payment_without_order", "A payment has no order, or the order is gone."),
                    (
                        "undecided_payment",
                        "A payment has a result that Clover does not document, or it is unknown whether the money of a refund or credit was given back: it is pending, or its status or result is not documented."
                    ),
                    (
                        "clock_differs",
                        "The device of a payment, refund or credit was more than a day ahead of the server, or more than eight days behind."
                    ),
                    (
                        "charge_unknown",
                        "It is unknown whether a charge of 'clover charge' was paid. Pages of 'clover checkout' are compared with nothing: 'clover checkout wait' shows what became of one."
                    ),
                    (
                        "charge_without_payment",
                        "A charge on a device or of the ecommerce API is paid, and the shop has no such payment, or it is void. The payment of an ecommerce charge has its id or, if that is not found, its order and amount; one payment explains one charge."
                    ),
                    (
                        "charge_paid_after_all",
                        "Our journal or the ecommerce API has a charge as not paid, or the ecommerce API as only held, but the shop has its payment."
                    ),
                    (
                        "charge_not_voided",
                        "Our journal has a charge as voided, but the shop has its payment, without a refund of it."
                    ),
                    (
                        "charge_not_refunded",
                        "Our journal or the ecommerce API has more of a charge as refunded than the shop has, or as refunded without an amount, and the shop has no refund. A difference of the tip is not named."
                    ),
                    (
                        "charge_amount_differs",
                        "The payment's amount is not that of the charge, or not what was captured of it, or more was captured than the charge's amount."
                    ),
                    (
                        "unreadable_record",
                        "A record lacks an ID, a time or an amount, an ecommerce charge that did not fail lacks its currency, or one of the members that reports read has a wrong type, also in a line, a discount or a payment of an order, or parts that cannot be right: tax or service charge above the amount, or a part below 0. It was not counted, and the status is 79. A payment, refund, credit or ecommerce charge whose time can be read matters on its own day only; a refund also where another refund of its payment, or a charge, is compared. The first 1000 are named."
                    ),
                ])),
            Section(
                "What is left out, and what did not happen",
                .text(
                    """
                    With --without refunds or --without credits, every measure that depends on the list is empty (null in \
                    JSON), also in totals, and the receipt names the list in "omitted". 'clover report refunds' needs the \
                    refunds. --without names shows ids of employees and tenders.
                    """),
                .text(
                    """
                    A period without sales is a notice on standard error, with status 0; with --profiles, one for each shop \
                    without sales. A report then has one \
                    row of zeros, without a name; with --by, one for each day, week, month or hour.
                    """)),
            Section(
                "Comparisons and several shops",
                .text(
                    """
                    --compare previous compares this-week with the same weekdays of the week before, this-month with the \
                    same days of the month before, and this-year with the same dates of the year before. Other periods are \
                    compared with as many days before them, whole months with as many months.
                    """),
                .text(
                    """
                    With --profiles, shops with different currencies get a column currency, and a table has a total for \
                    each currency. Amounts of different currencies are never added. Days, periods such as yesterday, and \
                    times are each shop's own: in JSON each row has its period and zone, and in tables remarks name them. \
                    --zone sets one zone for all. jq programs: 'clover help jq'.
                    """)),
            Section(
                "What cannot be known",
                .text(
                    """
                    Clover's own day for a sale, and how its own reports show tax that prices contain; whether surcharges are inside a payment's amount (they are not \
                    added, and named); whether a refund's amount contains the tip (here it does); cash rounding; \
                    cash tips that were not keyed in; what gift cards still owe; fees, deposits and chargebacks; what a deleted order held; and \
                    which lines a refund by amount is for.
                    """)),
            Section(
                "Examples",
                .examples([
                    (
                        "clover report sales --period last-month --by day --format csv",
                        "One row for each day, for a spreadsheet."
                    ),
                    (
                        "clover report tips --period last-week --format csv --money major",
                        "Tips by employee, in dollars and cents."
                    ),
                    ("clover reconcile || echo 'look at the till'", "For cron: silent if all is well."),
                ])),
        ], seeAlso: ["clover.report 1", "clover.reconcile 1", "clover-exit-codes 7"])
}

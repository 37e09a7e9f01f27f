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
                        "netSales + tax + serviceCharges + tips + nonRevenue - amountCollected: what is still owed, or was paid on another day. A remark says what it consists of."
                    ),
                ])),
            Section(
                "Other columns",
                .list([
                    ("quantity", "Pieces, or units of what is sold by unit, in items and categories."),
                    ("refunds, manualRefunds", "In employees and tenders: the money that was given back."),
                    ("tipsOpen", "Payments whose tip may still change, until the card transactions are closed."),
                    ("percent", "Tips as a percentage of the payments' amounts."),
                    ("goods, tax, tip", "What a refund consists of. days is the number of days since its payment."),
                    ("hour", "The hour on the shop's clock; both hours of a repeated one are in one row."),
                ])),
            Section(
                "What counts",
                .text(
                    """
                    Payments with the result SUCCESS, of orders that are no tests. A payment that is voided, failed, \
                    pending or only authorized does not count. A payment with a result that Clover does not \
                    document is not counted, and named. Refunds and credits count unless they were voided or failed. \
                    An open order without a payment is no sale. An order with a total and no lines, as a charge without \
                    items makes it, counts as one line of its total without tax. A line that was exchanged is no goods.
                    """),
                .text(
                    """
                    A sale belongs to the day of the order's first payment that counts; tax, tips and money to the day \
                    of each payment; a refund to the day of the refund. A record's time is the device's, unless it is \
                    more than a day ahead of the server's or more than eight days behind; --clock server takes the \
                    server's. A day begins at midnight in the shop's time zone, or at --day-start.
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
                    With status 0, every list was read to its end, the total of every order that was fully paid is the \
                    sum of its lines, discounts, charges and tax, and the rows add up to the measures above. What is \
                    true of single records only, such as a refund above its payment, is for 'clover reconcile'. Otherwise the report is \
                    printed, the orders are named on standard error, and the status is 79.
                    """)),
            Section(
                "Findings of reconcile",
                .list([
                    ("partly_paid", "Less was paid than the order's total."),
                    ("overpaid", "More was paid than the order's total."),
                    (
                        "paid_twice",
                        "Two payments of the same amount within five minutes, and more was paid than the total."
                    ),
                    ("total_differs", "The order's total is not the sum of its lines, discounts and charges."),
                    ("tax_differs", "The payments' tax is not what the order's total leaves for tax."),
                    ("refund_above_payment", "More was refunded than was paid."),
                    ("refund_without_payment", "A refund has no payment."),
                    ("payment_without_order", "A payment has no order, or the order is gone."),
                    ("undecided_payment", "A payment has a result that Clover does not document."),
                    (
                        "clock_differs",
                        "A payment's device was more than a day ahead of the server, or more than eight days behind."
                    ),
                    ("charge_unknown", "It is unknown whether a charge of 'clover charge' was paid."),
                    (
                        "charge_without_payment",
                        "A charge on a device or of the ecommerce API is paid, and the shop has no such payment."
                    ),
                    ("charge_paid_after_all", "Our journal has a charge as not paid, but the shop has its payment."),
                    ("charge_amount_differs", "The payment's amount is not that of the charge."),
                ])),
            Section(
                "What cannot be known",
                .text(
                    """
                    Clover's own day for a sale; whether surcharges are inside a payment's amount (they are not \
                    added, and named); whether a refund's amount contains the tip (here it does); cash rounding; \
                    cash tips that were not keyed in; fees, deposits and chargebacks; what a deleted order held; and \
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

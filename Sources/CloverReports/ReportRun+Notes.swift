import CloverOutput

extension ReportEnd {
    /// What cannot be known, or must be known beside every such report.
    var notes: [String] {
        var notes: [String] = []
        let report = request.report
        if report != .tenders, report != .taxes, report != .tips, report != .refunds {
            notes.append("A sale counts on the day of its first payment; Clover has not published a rule.")
        }
        if report == .tenders { notes.append("A gift card that pays is a tender, not new money.") }
        switch report {
        case .tips: notes.append("Cash tips that were not keyed in are unknown.")
        case .sales:
            notes.append(
                "Clover does not record cash rounding, cash tips that were not keyed in, what gift cards still owe, fees, "
                    + "deposits, chargebacks, and what deleted orders held.")
        case .employees, .tenders:
            notes.append(
                "Clover does not record cash rounding, cash tips that were not keyed in, fees, deposits and chargebacks."
            )
        case .taxes:
            notes.append(
                "Tax as it was collected: a rate times the sum of its sales can differ by cents. Taxable amounts overlap "
                    + "where two rates are on one item.")
        case .items, .categories, .discounts, .refunds, .hours: break
        }
        if report == .sales || report.hasItems, whole.refunded != 0 {
            // Where prices contain tax, so do the items that were given back.
            let parts = isVAT && report.hasItems ? "with tax, and without tip" : "without tax and tip"
            notes.append(
                "Refunds are \(parts) here; 'report tenders' and 'report employees' have them with both.")
        }
        if report == .tenders || report == .employees, whole.refunded != 0 {
            notes.append("Refunds are with tax and tip here; 'report sales' has them without.")
        }
        if report == .taxes, taxRows(of: .total).contains(where: { $0.rate == nil }) {
            notes.append(
                "\(Self.noRate) is tax whose records name no rate, such as that of refunds: below zero, it was given back."
            )
        }
        if report.hasItems, returns.contains(where: { !run.isDivided($0.place) }) {
            notes.append("Refunds by amount and manual refunds do not name items, and have their own rows.")
        }
        return notes
    }

    /// What must be known of these numbers.
    var remarks: [String] {
        var notes: [String] = []
        if isVAT, request.report == .sales {
            notes.append(
                "Prices contain tax: gross sales contain it, net sales do not. How Clover's own reports show it is unknown."
            )
        }
        if isVAT, request.report.hasItems {
            notes.append("Prices contain tax, and so do the amounts of this report.")
        }
        if returns.contains(where: { $0.fact.tip != 0 }) {
            notes.append(
                "Clover's pages contradict each other on whether a refund's amount contains the tip; here it does.")
        }
        for (name, sum) in [("Surcharges", run.surcharges), ("Cashback", run.cashback)] where sum != 0 {
            notes.append(
                "\(name) of \(money(sum)): it is unknown whether the payments' amounts contain this; it is not added.")
        }
        let undecided = Dictionary(grouping: run.undecidedRecords) { [$0.kind.rawValue, $0.field, $0.result] }
        for (key, records) in undecided.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            let sum = money(records.reduce(0) { $0 + $1.amount })
            let (kind, word) = (key[0], key[2].isEmpty ? "without a \(key[1])" : "with the \(key[1]) '\(key[2])'")
            let why =
                kind == "payment"
                ? key[2].isEmpty ? "" : ", whose meaning Clover does not document"
                : ", of which it is unknown whether money was given back"
            notes.append("\(count(Int64(records.count), kind)) of \(sum) \(word)\(why): not counted.")
        }
        if run.freeOrders > 0, request.report == .sales {
            let verb = run.freeOrders == 1 ? "is" : "are"
            notes.append(
                "\(count(run.freeOrders, "order")) of 0 that \(verb) marked as paid without a payment: no sales here.")
        }
        return notes + unpaidNotes
    }

    private var unpaidNotes: [String] {
        guard request.report == .sales else { return [] }
        // Those of which something is left to pay may be many, and nothing is wrong with them.
        let parts = [
            (unpaid.partly, "order", "partly paid", false),
            (unpaid.otherDay, "order", "with sales or payments of another day, or another total", false),
            (unpaid.more, "order", "paid more than once or too high", true),
            (unpaid.orphans, "payment", "without an order", true),
            (unpaid.unreadable, "payment", "of orders that cannot be read", true),
        ].filter { $0.0.count > 0 }
        guard !parts.isEmpty else { return [] }
        let list = parts.map { part, noun, what, isNamed in
            let names = part.first.joined(separator: ", ") + (part.count > part.first.count ? ", ..." : "")
            return "\(count(Int64(part.count), noun)) \(what) (\(money(part.amount))\(isNamed ? ": \(names)" : ""))"
        }
        // An order of two days is no finding.
        let named =
            parts.count == 1 && unpaid.otherDay.count > 0
            ? "" : " 'clover reconcile' names them for the same --period."
        let name =
            unpaid.more.count + unpaid.orphans.count + unpaid.unreadable.count > 0
            ? "Orders and payments that do not match" : "Unpaid"
        return ["\(name)\(isVAT ? "" : ", before tax"): \(list.joined(separator: ", ")).\(named)"]
    }

    private func money(_ amount: Int64) -> String { ReportTable.moneyText(amount, request.currency) }

    private func count(_ number: Int64, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}

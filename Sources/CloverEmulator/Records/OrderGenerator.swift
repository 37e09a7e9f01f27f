/// Generates any order of the shop from its number, independently of the others.
struct OrderGenerator: Sendable {
    /// Maximum number of lines of a generated order; the service allows 3,000 (Clover documentation, orders).
    static let mostLines = 400

    let calendar: OrderCalendar
    let menu: Menu
    let ids: IdentifierScheme
    let customers: CustomerGenerator
    let settings: ShopSettings
    private let taxRates = SIMD4(MenuText.taxRates.map(\.rate) + [0])
    var count: Int { calendar.count }

    /// Generates order `number` (0 is the oldest), replacing the content of the record.
    func load(_ number: Int, into order: inout OrderRecord) {
        var random = SeededRandom(seed: settings.seed, stream: .order, index: number)
        order.number = number
        order.id = ids.identifier(.order, number)
        order.createdTime = calendar.time(of: number)
        order.clientCreatedTime = order.createdTime - random.below(1800)
        removeLines(from: &order)
        order.payments.removeAll(keepingCapacity: true)
        order.refund = nil
        describe(&order, &random)
        addLines(to: &order, &random)
        addDiscounts(to: &order, &random)
        computeTotals(of: &order)
        settle(&order, &random)
    }

    private func removeLines(from order: inout OrderRecord) {
        order.lines.removeAll(keepingCapacity: true)
        order.modifications.removeAll(keepingCapacity: true)
        order.discounts.removeAll(keepingCapacity: true)
    }

    private func describe(_ order: inout OrderRecord, _ random: inout SeededRandom) {
        // Four employees work each day, in rotation.
        let day = calendar.dayNumber(of: order.number)
        order.employee = (day &* 5 &+ random.below(4)) % PeopleText.staff.count
        order.device = random.below(10) < 6 ? 0 : random.below(10) < 7 ? 1 : 2
        let draw = random.below(100)
        order.orderType = draw < 46 ? 0 : draw < 84 ? 1 : draw < 94 ? 2 : 3
        order.hasExternalReference = order.orderType >= 2 && random.chance(perMille: 700)
        // Only customers who had signed up by then.
        let known = customers.count(at: order.createdTime)
        order.customer = random.chance(perMille: 300) && known > 0 ? random.below(known) : nil
        order.isManual = random.chance(perMille: 15) && !Self.isCatering(order.number)
        order.isTaxRemoved = random.chance(perMille: 8)
        order.note = random.chance(perMille: 60) ? random.below(MenuText.notes.count) : nil
        switch random.below(10) {
        case 0, 1: order.title = .table(1 + random.below(18))
        case 2: order.title = .number(1 + order.number % 100)
        case 3 where order.customer != nil: order.title = .customer
        default: order.title = .none
        }
    }

    /// Two early orders are long: a nested collection shows less than half of their lines. Every shop with at
    /// least 100 orders has both.
    static let longOrders: Set<Int> = [41, 83]
    static let longOrderLines = 250

    /// Every 400th order is a catering order, alternately with exactly as many lines as a nested collection shows, and
    /// with more. That is where clients lose records, so even a small shop has both.
    private static func isCatering(_ number: Int) -> Bool {
        number % 400 == 120 || longOrders.contains(number)
    }

    private func lineCount(_ order: OrderRecord, _ random: inout SeededRandom) -> Int {
        let draw = random.below(2000)
        if Self.longOrders.contains(order.number) { return Self.longOrderLines }
        if Self.isCatering(order.number) {
            if order.number % 800 == 120 { return NestedCollection.cap }
            return NestedCollection.cap + 1 + random.below(draw % 4 == 0 ? Self.mostLines - 101 : 60)
        }
        return switch draw {
        case 0...19: 10 + random.below(30)
        case 20...799: 1
        case 800...1349: 2
        case 1350...1699: 3
        case 1700...1899: 4
        default: 5 + random.below(4)
        }
    }

    private func addLines(to order: inout OrderRecord, _ random: inout SeededRandom) {
        let count = order.isManual ? 1 : lineCount(order, &random)
        for place in 0..<count {
            var line = LineRecord()
            line.delay = place * 700 + random.below(700)
            line.isPrinted = !random.chance(perMille: 20)
            if order.isManual {
                line.customName = random.below(MenuText.customLines.count)
                line.price = 100 * random.within(1...80)
                line.net = line.price
            } else {
                let chosen = menu.popularity[random.below(menu.popularity.count)]
                fill(&line, withItem: chosen, order: &order, &random)
            }
            if random.chance(perMille: 25), line.net >= 200 {
                let catalogue = random.below(MenuText.discounts.count)
                let discount = discount(catalogue, on: line.net)
                line.net -= discount.value
                line.discount = discount
            }
            order.lines.append(line)
        }
    }

    private func fill(
        _ line: inout LineRecord, withItem place: Int, order: inout OrderRecord, _ random: inout SeededRandom
    ) {
        let item = MenuText.items[place]
        line.item = place
        line.price = menu.prices[place]
        line.taxRate = item.taxRate
        line.net = line.price
        if item.unit != nil {
            let quantity = random.within(2...24) * 125
            line.unitQuantity = quantity
            line.net = (line.price * quantity + 500) / 1000
        }
        let first = order.modifications.count
        for group in item.groups {
            // A size and a bread are always chosen; the rest sometimes.
            guard group == 0 || group == 3 || random.chance(perMille: 350) else { continue }
            let modifiers = MenuText.modifierGroups[group].modifiers
            let modifier = random.below(modifiers.count)
            order.modifications.append((group, modifier))
            line.net += modifiers[modifier].price
        }
        line.modifications = first..<order.modifications.count
    }

    private func addDiscounts(to order: inout OrderRecord, _ random: inout SeededRandom) {
        order.subtotal = 0
        for line in order.lines { order.subtotal += line.net }
        order.discountTotal = 0
        guard random.chance(perMille: 70), order.subtotal >= 400 else { return }
        let discount = discount(random.below(MenuText.discounts.count), on: order.subtotal)
        order.discounts.append(discount)
        order.discountTotal = discount.value
    }

    private func discount(_ catalogue: Int, on cents: Int) -> DiscountRecord {
        let text = MenuText.discounts[catalogue]
        // Amounts are at most half of the price, so that a paid order has an amount to pay.
        let value = text.percentage.map { (cents * $0 + 50) / 100 } ?? min(-(text.amount ?? 0), cents / 2)
        return DiscountRecord(catalogue: catalogue, value: value)
    }

    /// Total = lines + service charge + tax - discounts. The order discount is distributed over the lines by running sums, so that the
    /// shares add up exactly; tax is computed once per rate on the sum that the rate applies to.
    private func computeTotals(of order: inout OrderRecord) {
        var taxes = TaxAmounts()
        var running = 0
        var spread = 0
        let discount = order.discountTotal
        let subtotal = max(order.subtotal, 1)
        for place in order.lines.indices {
            running += order.lines[place].net
            let upToHere = discount * running / subtotal
            let taxable = order.lines[place].net - (upToHere - spread)
            spread = upToHere
            order.lines[place].taxable = taxable
            taxes.taxable[order.lines[place].taxRate] += taxable
        }
        if !order.isTaxRemoved { taxes.compute(rates: taxRates) }
        order.taxes = taxes
        order.total = order.subtotal - discount + order.serviceCharge + taxes.total
    }

    // MARK: Payment

    private func settle(_ order: inout OrderRecord, _ random: inout SeededRandom) {
        order.payType = nil
        order.paymentState = .open
        order.state = .open
        order.modifiedTime = order.createdTime + (order.lines.last?.delay ?? 0)
        let draw = Self.isCatering(order.number) ? 500 : random.below(1000)
        if draw < 3 {
            // An abandoned order without lines.
            removeLines(from: &order)
            order.subtotal = 0
            order.discountTotal = 0
            order.taxes = TaxAmounts()
            order.total = 0
            // The service sometimes reports a modification one second before the creation (recorded responses).
            order.modifiedTime = order.createdTime - 1000
            return
        }
        if draw < 15 { return }
        let isPartial = draw < 20 && order.total >= 200
        pay(&order, isPartial: isPartial, &random)
        if isPartial {
            order.paymentState = .partiallyPaid
        } else {
            order.paymentState = .paid
            order.state = draw < 960 ? .locked : draw < 985 ? .paid : .paidInCapitals
            if random.chance(perMille: 20) { refund(&order, &random) }
        }
    }

    private func pay(_ order: inout OrderRecord, isPartial: Bool, _ random: inout SeededRandom) {
        let draw = random.below(100)
        let isSplit = draw < 6 && order.total >= 600
        order.payType = isPartial ? .splitCustom : !isSplit ? .full : draw < 4 ? .splitGuest : .splitCustom
        let shares = isPartial ? 2 : isSplit ? random.within(2...4) : 1
        let due = order.total
        let tax = order.taxes.total
        var time = order.createdTime + (order.lines.last?.delay ?? 0) + random.within(20_000...1_200_000)
        var paid = 0
        for share in 0..<(isPartial ? 1 : shares) {
            var payment = PaymentRecord()
            // Running sums again, so that the parts add up to the whole, for the amount and its tax.
            let before = due * share / shares
            payment.amount = due * (share + 1) / shares - before
            payment.taxAmount = tax * (paid + payment.amount) / due - tax * paid / due
            paid += payment.amount
            payment.createdTime = time
            payment.modifiedTime = time + random.below(3000)
            addTender(to: &payment, closedBefore: settings.now - 86_400_000, &random)
            order.modifiedTime = max(order.modifiedTime, payment.modifiedTime)
            order.payments.append(payment)
            time += random.within(15_000...90_000)
        }
    }

    private func addTender(to payment: inout PaymentRecord, closedBefore closing: Int, _ random: inout SeededRandom) {
        let draw = random.below(100)
        switch draw {
        case 0..<22:
            payment.tender = 0
            let note = [100, 500, 1000, 2000][random.below(4)]
            payment.cashTendered = (payment.amount + note - 1) / note * note
        case 22..<28:
            payment.tender = 3
        default:
            payment.tender = draw < 70 ? 1 : 2
            let percent = [0, 0, 15, 18, 20][random.below(5)]
            payment.tipAmount = (payment.amount - payment.taxAmount) * percent / 100
            // Weighted by market share.
            let share = random.below(100)
            payment.card = CardRecord(
                type: share < 50 ? 0 : share < 78 ? 1 : share < 92 ? 2 : 3,
                entry: random.below(100) < 80 ? 0 : random.below(4),
                last4: random.below(10_000), authCode: random.below(1_000_000),
                isClosed: payment.createdTime < closing)
        }
    }

    /// Refunds follow within three days and before the end of the history.
    private func refund(_ order: inout OrderRecord, _ random: inout SeededRandom) {
        guard let payment = order.payments.first else { return }
        let time = payment.modifiedTime + random.within(120_000...259_200_000)
        let isWhole = random.chance(perMille: 400)
        let place = random.below(order.lines.count)
        guard time < settings.now else { return }
        var refund = RefundRecord(
            amount: payment.amount, taxAmount: payment.taxAmount, createdTime: time)
        if !isWhole {
            let line = order.lines[place]
            let base = order.taxes.taxable[line.taxRate]
            refund.taxAmount = base > 0 ? order.taxes.tax[line.taxRate] * line.taxable / base : 0
            refund.amount = line.taxable + refund.taxAmount
            guard line.taxable > 0, refund.amount <= payment.amount else { return }
            refund.line = place
            order.lines[place].isRefunded = true
        }
        order.refund = refund
        let isEverything = refund.amount == order.total
        if isEverything {
            for line in order.lines.indices { order.lines[line].isRefunded = true }
        }
        order.paymentState = isEverything ? .refunded : .partiallyRefunded
        order.modifiedTime = max(order.modifiedTime, time)
    }
}

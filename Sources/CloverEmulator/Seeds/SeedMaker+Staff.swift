extension SeedMaker {
    /// Four people a day, two of them leaving early; whoever is at work at the end of the history has no end yet. The
    /// newest first.
    func shifts() -> [TableRow] {
        var rows: [TableRow] = []
        let staff = catalogue.count(.employees)
        for day in orders.calendar.days.reversed() {
            let hours = TradingHours.minutes(onWeekday: CivilDate.weekday(ofDayNumber: day))
            let midnight = ShopTimeZone.startOfDay(day)
            for turn in (0..<4).reversed() {
                let number = day * 4 + turn
                var random = SeededRandom(seed: settings.seed, stream: .shift, index: number)
                let begin = midnight + (hours.open - 15 + turn * 3) * 60_000 + random.below(120_000)
                let end =
                    midnight + (turn < 2 ? hours.open + 300 : hours.close + 20) * 60_000 + random.below(900_000)
                guard begin <= settings.now else { continue }
                rows.append(
                    shift(number, employee: (day &* 5 &+ turn) % staff, begin: begin, end: end, &random))
            }
        }
        return rows
    }

    private func shift(
        _ number: Int, employee: Int, begin: Int, end: Int, _ random: inout SeededRandom
    ) -> TableRow {
        let id = id(.shift, number)
        var json: JSONValue = .object([
            ("id", .string(id)), ("employee", reference(.employees, employee)),
            ("cashTipsCollected", .integer(random.below(40) * 25)), ("serverBanking", .boolean(employee % 3 == 0)),
            ("inTime", .integer(begin)),
        ])
        if number % 17 == 3 {
            json.append("overrideInTime", .integer(begin - 600_000))
            json.append("overrideInEmployee", reference(.employees, 1))
        }
        if end <= settings.now {
            json.append("outTime", .integer(end))
            if number % 23 == 5 {
                json.append("overrideOutTime", .integer(end + 300_000))
                json.append("overrideOutEmployee", reference(.employees, 2))
            }
        }
        return TableRow(id: id, json: json)
    }

    /// The drawer is opened in the morning and counted at night; the newest first.
    func cashEvents() -> [TableRow] {
        var rows: [TableRow] = []
        let staff = catalogue.count(.employees)
        for day in orders.calendar.days.reversed() {
            let hours = TradingHours.minutes(onWeekday: CivilDate.weekday(ofDayNumber: day))
            let midnight = ShopTimeZone.startOfDay(day)
            for (turn, type) in ["OPEN", "ADJUSTMENT", "COUNT"].enumerated().reversed() {
                let number = day * 3 + turn
                var random = SeededRandom(seed: settings.seed, stream: .cashEvent, index: number)
                let minute = turn == 0 ? hours.open - 5 : turn == 1 ? (hours.open + hours.close) / 2 : hours.close + 5
                let time = midnight + minute * 60_000 + random.below(60_000)
                guard time <= settings.now, turn != 1 || day % 5 == 0 else { continue }
                let amount = turn == 0 ? 20_000 : turn == 1 ? -5000 : random.below(300)
                var json: JSONValue = .object([
                    ("type", .string(type)), ("amountChange", .integer(amount)), ("timestamp", .integer(time)),
                ])
                if turn == 1 { json.append("note", .string("To the bank — “safe drop”")) }
                json.append("employee", reference(.employees, (day &* 5 &+ turn) % staff))
                json.append("device", reference(.devices, turn % 2))
                rows.append(TableRow(id: id(.cashEvent, number), json: json))
            }
        }
        return rows
    }

    func employeeCards() -> [TableRow] {
        (0..<3).map { place in
            let id = id(.employeeCard, place)
            return TableRow(
                id: id,
                json: .object([
                    ("id", .string(id)), ("merchant", .reference(identity.merchantID)),
                    ("employee", reference(.employees, place)), ("number", .string("\(70_001 + place)")),
                    ("status", .string(place == 2 ? "DISABLED" : "ACTIVE")),
                    ("createdTime", .integer(catalogue.openedTime)),
                    ("modifiedTime", .integer(catalogue.modifiedTime(place))),
                ]))
        }
    }
}

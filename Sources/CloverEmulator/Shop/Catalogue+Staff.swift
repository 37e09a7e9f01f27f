/// Staff, shifts and the cash drawer.
extension Catalogue {
    private static let roles = [
        ("Admin", "ADMIN"), ("Manager", "MANAGER"), ("Employee", "EMPLOYEE"), ("Barista ☕️", "EMPLOYEE"),
    ]
    /// Role indexes of `PeopleText.staff`: one owner, two managers, the rest at the counter.
    private static let staffRoles = [0, 1, 1, 2, 2, 2, 3, 3, 3, 3, 3, 2]

    func staff(_ table: Table) -> [TableRow]? {
        switch table {
        case .roles:
            return rows(.role, Self.roles, fields: modified) { ["name": .string($1.0), "systemRole": .string($1.1)] }
        case .employees: return PeopleText.staff.indices.map(employee)
        case .employeeCards:
            return rows(.employeeCard, ["ACTIVE", "ACTIVE", "DISABLED"]) { place, status in
                [
                    "merchant": .reference(identity.merchantID), "employee": reference(.employee, place),
                    "number": "\(70_001 + place)", "status": .string(status),
                    "createdTime": .integer(openedTime), "modifiedTime": .integer(modifiedTime(place)),
                ]
            }
        case .shifts: return everyDay(4, .shift, shift)
        case .cashEvents: return everyDay(3, .cashEvent, cashEvent)
        default: return nil
        }
    }

    private func employee(_ place: Int) -> TableRow {
        let person = PeopleText.staff[place]
        let id = id(.employee, place)
        let role = Self.staffRoles[place]
        var random = SeededRandom(seed: settings.seed, stream: .employee, index: place)
        // Some employees have no email address.
        let hasEmail = place % 5 != 4
        return TableRow(
            id: id,
            json: [
                "href": .string(webAddress("employees/\(id)")), "id": .string(id), "name": .string(person.name),
                "nickname": .string(person.nickname), "customId": "E\(100 + place)",
                "email": hasEmail ? "staff\(place + 1)@cafe.example" : nil,
                "inviteSent": .boolean(hasEmail), "claimedTime": .integer(modifiedTime(place)),
                "pin": "\(random.within(1000...9999))", "role": .string(Self.roles[role].1),
                "isOwner": .boolean(place == 0), "orders": ["href": .string(webAddress("employees/\(id)/orders"))],
            ],
            fields: ["role.id": .text(self.id(.role, role)), "modifiedTime": .integer(modifiedTime(place))])
    }

    /// Four employees work each day, two of whom leave early; shifts in progress at the end of the history have no end.
    private func shift(_ turn: Turn, _ random: inout SeededRandom) -> TableRow? {
        let early = turn.midnight + (turn.hours.open - 15 + turn.place * 3) * 60_000
        let begin = early + random.below(120_000)
        let late = turn.place < 2 ? turn.hours.open + 300 : turn.hours.close + 20
        let end = turn.midnight + late * 60_000 + random.below(900_000)
        guard begin <= settings.now else { return nil }
        let isOver = end <= settings.now
        let (isBeginChanged, isEndChanged) = (turn.number % 17 == 3, isOver && turn.number % 23 == 5)
        return row(
            .shift, turn.number,
            [
                "employee": reference(.employee, turn.employee),
                "cashTipsCollected": .integer(random.below(40) * 25),
                "serverBanking": .boolean(turn.employee % 3 == 0), "inTime": .integer(begin),
                "overrideInTime": isBeginChanged ? .integer(begin - 600_000) : nil,
                "overrideInEmployee": isBeginChanged ? reference(.employee, 1) : nil,
                "outTime": isOver ? .integer(end) : nil,
                "overrideOutTime": isEndChanged ? .integer(end + 300_000) : nil,
                "overrideOutEmployee": isEndChanged ? reference(.employee, 2) : nil,
            ])
    }

    /// The drawer is opened in the morning and counted at night.
    private func cashEvent(_ turn: Turn, _ random: inout SeededRandom) -> TableRow? {
        let (type, minute) = [
            ("OPEN", turn.hours.open - 5), ("ADJUSTMENT", (turn.hours.open + turn.hours.close) / 2),
            ("COUNT", turn.hours.close + 5),
        ][turn.place]
        let time = turn.midnight + minute * 60_000 + random.below(60_000)
        guard time <= settings.now, turn.place != 1 || turn.day % 5 == 0 else { return nil }
        let amount = turn.place == 0 ? 20_000 : turn.place == 1 ? -5000 : random.below(300)
        return TableRow(
            id: id(.cashEvent, turn.number),
            json: [
                "type": .string(type), "amountChange": .integer(amount), "timestamp": .integer(time),
                "note": turn.place == 1 ? "To the bank — “safe drop”" : nil,
                "employee": reference(.employee, turn.employee), "device": .reference(deviceIDs[turn.place % 2]),
            ])
    }
    private struct Turn {
        let day: Int
        let place: Int
        let number: Int
        let hours: (open: Int, close: Int)
        let midnight: Int

        var employee: Int { (day &* 5 &+ place) % PeopleText.staff.count }
    }

    /// Maps the turns of every day, newest first, each with its own random numbers.
    private func everyDay(
        _ count: Int, _ stream: RandomStream, _ body: (Turn, inout SeededRandom) -> TableRow?
    ) -> [TableRow] {
        orders.calendar.days.reversed().flatMap { day in
            (0..<count).reversed().compactMap { place in
                let turn = Turn(
                    day: day, place: place, number: day * count + place,
                    hours: TradingHours.minutes(onWeekday: CivilDate.weekday(ofDayNumber: day)),
                    midnight: ShopTimeZone.startOfDay(day))
                var random = SeededRandom(seed: settings.seed, stream: stream, index: turn.number)
                return body(turn, &random)
            }
        }
    }
}

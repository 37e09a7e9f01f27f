/// Staff, shifts and the cash drawer.
extension Catalogue {
    private static let roles = [
        ("Admin", "ADMIN"), ("Manager", "MANAGER"), ("Employee", "EMPLOYEE"), ("Barista ☕️", "EMPLOYEE"),
    ]
    /// Role indexes of `PeopleText.staff`: one owner, two managers, the rest at the counter.
    private static let staffRoles = [0, 1, 1, 2, 2, 2, 3, 3, 3, 3, 3, 2]

    func roles() -> [TableRow] {
        Self.roles.enumerated().map { place, role in
            row(
                .role, place, ["name": .string(role.0), "systemRole": .string(role.1)], fields: modified(place))
        }
    }

    func employees() -> [TableRow] {
        PeopleText.staff.enumerated().map { place, person in
            let id = id(.employee, place)
            let role = Self.staffRoles[place]
            var random = SeededRandom(seed: settings.seed, stream: .employee, index: place)
            // Some employees have no email address.
            let hasEmail = place % 5 != 4
            return TableRow(
                id: id,
                json: [
                    "href": .string(webAddress("employees/\(id)")), "id": .string(id), "name": .string(person.name),
                    "nickname": .string(person.nickname), "customId": .string("E\(100 + place)"),
                    "email": hasEmail ? .string("staff\(place + 1)@cafe.example") : nil,
                    "inviteSent": .boolean(hasEmail), "claimedTime": .integer(modifiedTime(place)),
                    "pin": .string("\(random.within(1000...9999))"), "role": .string(Self.roles[role].1),
                    "isOwner": .boolean(place == 0),
                    "orders": ["href": .string(webAddress("employees/\(id)/orders"))],
                ],
                fields: [
                    "role.id": .text(self.id(.role, role)), "modifiedTime": .integer(modifiedTime(place)),
                ])
        }
    }

    func employeeCards() -> [TableRow] {
        (0..<3).map { place in
            row(
                .employeeCard, place,
                [
                    "merchant": .reference(identity.merchantID), "employee": reference(.employee, place),
                    "number": .string("\(70_001 + place)"), "status": place == 2 ? "DISABLED" : "ACTIVE",
                    "createdTime": .integer(openedTime), "modifiedTime": .integer(modifiedTime(place)),
                ])
        }
    }

    /// Four employees a day, two of whom leave early; shifts in progress at the end of the history have no end. Newest
    /// first.
    func shifts() -> [TableRow] {
        everyDay(4, .shift) { day, hours, midnight, turn, number, random in
            let begin = midnight + (hours.open - 15 + turn * 3) * 60_000 + random.below(120_000)
            let end = midnight + (turn < 2 ? hours.open + 300 : hours.close + 20) * 60_000 + random.below(900_000)
            guard begin <= settings.now else { return nil }
            let employee = (day &* 5 &+ turn) % PeopleText.staff.count
            let isOver = end <= settings.now
            let (isBeginChanged, isEndChanged) = (number % 17 == 3, isOver && number % 23 == 5)
            return row(
                .shift, number,
                [
                    "employee": reference(.employee, employee),
                    "cashTipsCollected": .integer(random.below(40) * 25), "serverBanking": .boolean(employee % 3 == 0),
                    "inTime": .integer(begin), "overrideInTime": isBeginChanged ? .integer(begin - 600_000) : nil,
                    "overrideInEmployee": isBeginChanged ? reference(.employee, 1) : nil,
                    "outTime": isOver ? .integer(end) : nil,
                    "overrideOutTime": isEndChanged ? .integer(end + 300_000) : nil,
                    "overrideOutEmployee": isEndChanged ? reference(.employee, 2) : nil,
                ])
        }
    }

    /// The drawer is opened in the morning and counted at night. Newest first.
    func cashEvents() -> [TableRow] {
        everyDay(3, .cashEvent) { day, hours, midnight, turn, number, random in
            let minute = turn == 0 ? hours.open - 5 : turn == 1 ? (hours.open + hours.close) / 2 : hours.close + 5
            let time = midnight + minute * 60_000 + random.below(60_000)
            guard time <= settings.now, turn != 1 || day % 5 == 0 else { return nil }
            let amount = turn == 0 ? 20_000 : turn == 1 ? -5000 : random.below(300)
            return TableRow(
                id: id(.cashEvent, number),
                json: [
                    "type": .string(["OPEN", "ADJUSTMENT", "COUNT"][turn]), "amountChange": .integer(amount),
                    "timestamp": .integer(time), "note": turn == 1 ? "To the bank — “safe drop”" : nil,
                    "employee": reference(.employee, (day &* 5 &+ turn) % PeopleText.staff.count),
                    "device": .reference(deviceIDs[turn % 2]),
                ])
        }
    }

    /// Maps the turns of every day, newest first, each with random numbers of its own.
    private func everyDay(
        _ turns: Int, _ stream: RandomStream,
        _ body: (
            _ day: Int, _ hours: (open: Int, close: Int), _ midnight: Int, _ turn: Int, _ number: Int,
            _ random: inout SeededRandom
        ) -> TableRow?
    ) -> [TableRow] {
        orders.calendar.days.reversed().flatMap { day in
            let hours = TradingHours.minutes(onWeekday: CivilDate.weekday(ofDayNumber: day))
            let midnight = ShopTimeZone.startOfDay(day)
            return (0..<turns).reversed().compactMap { turn in
                let number = day * turns + turn
                var random = SeededRandom(seed: settings.seed, stream: stream, index: number)
                return body(day, hours, midnight, turn, number, &random)
            }
        }
    }
}

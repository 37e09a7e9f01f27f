extension Catalogue {
    private static let roles: [(name: String, system: String)] = [
        ("Admin", "ADMIN"), ("Manager", "MANAGER"), ("Employee", "EMPLOYEE"), ("Barista ☕️", "EMPLOYEE"),
    ]

    func makeRoles() -> [TableRow] {
        Self.roles.enumerated().map { place, role in
            let id = ids.identifier(.role, place).description
            return TableRow(
                id: id,
                json: .object([
                    ("id", .string(id)), ("name", .string(role.name)), ("systemRole", .string(role.system)),
                ]),
                fields: [
                    "id": .text(id), "name": .text(role.name), "systemRole": .text(role.system),
                    "modifiedTime": .integer(modifiedTime(place)),
                ])
        }
    }

    func makeEmployees() -> [TableRow] {
        PeopleText.staff.enumerated().map { place, person in
            let id = ids.identifier(.employee, place).description
            let role = Self.staffRoles[place]
            var random = SeededRandom(seed: settings.seed, stream: .employee, index: place)
            let pin = "\(random.within(1000...9999))"
            let customID = "E\(100 + place)"
            var json: JSONValue = .object([
                ("href", .string(webAddress("employees/\(id)"))), ("id", .string(id)), ("name", .string(person.name)),
                ("nickname", .string(person.nickname)), ("customId", .string(customID)),
            ])
            var fields: [String: FieldValue] = [
                "id": .text(id), "name": .text(person.name), "nickname": .text(person.nickname),
                "customId": .text(customID), "pin": .text(pin), "role": .text(Self.roles[role].system),
                "role.id": .text(ids.identifier(.role, role).description),
                "modifiedTime": .integer(modifiedTime(place)),
            ]
            // Not everybody has a mail address.
            if place % 5 != 4 {
                let address = "staff\(place + 1)@cafe.example"
                json.append("email", .string(address))
                fields["email"] = .text(address)
            }
            json.append("inviteSent", .boolean(place % 5 != 4))
            json.append("claimedTime", .integer(modifiedTime(place)))
            json.append("pin", .string(pin))
            json.append("role", .string(Self.roles[role].system))
            json.append("isOwner", .boolean(place == 0))
            json.append("orders", .object([("href", .string(webAddress("employees/\(id)/orders")))]))
            return TableRow(id: id, json: json, fields: fields)
        }
    }

    /// A role as a record, and the people who have it.
    func staff(withRole role: Int) -> [Int] {
        Self.staffRoles.indices.filter { Self.staffRoles[$0] == role }
    }
}

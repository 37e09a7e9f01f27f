extension SeedMaker {
    private static let attributeNames = ["Grind", "Bag size"]
    private static let optionNames = [["Whole bean", "Espresso", "Filtre ☕️"], ["8 oz", "16 oz"]]

    /// The stock of each item: the quantity is a fraction by type, and an item never stocked has nothing but its
    /// reference (live sandbox notes).
    func itemStocks() -> [TableRow] {
        (0..<catalogue.count(.items)).map { place in
            let id = id(.item, place)
            var json: JSONValue = .object([("item", .reference(id))])
            if let stock = Catalogue.stock(of: place) {
                json.append("stockCount", .integer(stock))
                json.append("quantity", .number("\(stock).0"))
                json.append("modifiedTime", .integer(catalogue.modifiedTime(place)))
            }
            return TableRow(id: id, json: json)
        }
    }

    func itemGroups() -> [TableRow] {
        ["Beans & leaves", "Merchandise"].enumerated().map { place, name in
            let id = id(.itemGroup, place)
            return TableRow(
                id: id, json: .object([("id", .string(id)), ("name", .string(name))]),
                fields: ["modifiedTime": .integer(catalogue.modifiedTime(place))])
        }
    }

    func attributes() -> [TableRow] {
        Self.attributeNames.enumerated().map { place, name in
            let id = id(.attribute, place)
            return TableRow(
                id: id,
                json: .object([
                    ("id", .string(id)), ("name", .string(name)), ("itemGroup", .reference(self.id(.itemGroup, 0))),
                ]),
                fields: ["modifiedTime": .integer(catalogue.modifiedTime(place))])
        }
    }

    func options() -> [TableRow] {
        var rows: [TableRow] = []
        for (attribute, names) in Self.optionNames.enumerated() {
            for name in names {
                let id = id(.option, rows.count)
                rows.append(
                    TableRow(
                        id: id,
                        json: .object([
                            ("id", .string(id)), ("name", .string(name)),
                            ("attribute", .reference(self.id(.attribute, attribute))),
                        ]),
                        fields: ["modifiedTime": .integer(catalogue.modifiedTime(rows.count))]))
            }
        }
        return rows
    }

    /// The fields of these rules are in no source; this is the least one can say of them.
    func taxRules() -> [TableRow] {
        [("Packaged goods are free", 1), ("Merchandise is reduced", 2)].enumerated().map { place, rule in
            let id = id(.taxRule, place)
            return TableRow(
                id: id,
                json: .object([
                    ("id", .string(id)), ("name", .string(rule.0)), ("taxRate", reference(.taxRates, rule.1)),
                ]))
        }
    }
}

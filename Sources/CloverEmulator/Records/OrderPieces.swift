/// Encoded JSON fragments for orders, lines and payments, by index.
struct OrderPieces: Sendable {
    /// `{"href":"https://.../orders/`
    let orderStart: Fragment
    /// `{"id":"..."}` and the full record, for records that an order refers to.
    let employeeReferences: [Fragment]
    var employees: [Fragment]
    let orderTypeReferences: [Fragment]
    var orderTypes: [Fragment]
    let tenderReferences: [Fragment]
    var tenders: [Fragment]
    let devices: [Fragment]
    /// `{"elements":[...]}` with the one tax rate of a line.
    let lineTaxRates: [Fragment]
    /// `"item":{"id":"..."},"name":"...","price":450`, with `unitName` for goods sold by weight.
    let items: [Fragment]
    /// `"name":"..."` of custom lines.
    let customNames: [Fragment]
    /// `"name":"...","amount":75,"modifier":{"id":"..."}}`, by group and index in the group.
    let modifiers: [[Fragment]]
    /// `"name":"...","discount":{"id":"..."},`
    let discounts: [Fragment]
    /// Notes as JSON strings.
    let notes: [Fragment]
    /// `"name":"...","rate":887500,"isDefault":true,` by tax rate.
    let paymentTaxRates: [Fragment]
    /// Names as JSON strings by card type, entry type.
    let cardTypes: [Fragment]

    init(catalogue: Catalogue, arena: FragmentArena) {
        let ids = catalogue.ids
        func text(_ write: (inout JSONWriter) -> Void) -> Fragment {
            var writer = JSONWriter(capacity: 256)
            write(&writer)
            return arena.keep(writer.bytes())
        }
        func references(_ table: Table) -> [Fragment] {
            (0..<catalogue.count(table)).map { place in
                arena.keep(.object([("id", .string(catalogue.row(table, place)?.id ?? ""))]))
            }
        }
        orderStart = text { $0.raw("{\"href\":\"" + catalogue.webAddress("orders/")) }
        employeeReferences = references(.employees)
        employees = catalogue.fragments(.employees)
        orderTypeReferences = references(.orderTypes)
        orderTypes = catalogue.fragments(.orderTypes)
        tenderReferences = references(.tenders)
        tenders = catalogue.fragments(.tenders)
        devices = references(.devices)
        lineTaxRates = (0..<catalogue.count(.taxRates)).map { place in
            arena.keep(.elements([catalogue.row(.taxRates, place)?.json ?? .object([])]))
        }
        items = MenuText.items.indices.map { place in
            text { writer in
                writer.raw("\"item\":{\"id\":\"")
                writer.identifier(ids.identifier(.item, place))
                writer.raw("\"},\"name\":")
                writer.string(MenuText.items[place].name)
                writer.raw(",\"price\":")
                writer.integer(catalogue.menu.items[place].price)
                if let unit = MenuText.items[place].unit {
                    writer.raw(",\"unitName\":")
                    writer.string(unit)
                }
            }
        }
        customNames = MenuText.customLines.map { name in
            text {
                $0.raw("\"name\":")
                $0.string(name)
            }
        }
        modifiers = catalogue.menu.modifiers.map { group in
            group.map { modifier in
                text { writer in
                    writer.raw("\"name\":")
                    writer.string(modifier.name)
                    writer.raw(",\"amount\":")
                    writer.integer(modifier.price)
                    writer.raw(",\"modifier\":{\"id\":\"")
                    writer.identifier(ids.identifier(.modifier, modifier.place))
                    writer.raw("\"}}")
                }
            }
        }
        discounts = MenuText.discounts.enumerated().map { place, discount in
            text { writer in
                writer.raw("\"name\":")
                writer.string(discount.name)
                writer.raw(",\"discount\":{\"id\":\"")
                writer.identifier(ids.identifier(.catalogueDiscount, place))
                writer.raw("\"},")
            }
        }
        notes = MenuText.notes.map { note in text { $0.string(note) } }
        paymentTaxRates = MenuText.taxRates.map { rate in
            text { writer in
                writer.raw("\"name\":")
                writer.string(rate.name)
                writer.raw(",\"rate\":")
                writer.integer(rate.rate)
                writer.raw(rate.isDefault ? ",\"isDefault\":true," : ",\"isDefault\":false,")
            }
        }
        cardTypes = CardText.types.map { type in text { $0.string(type.name.description) } }
    }
}

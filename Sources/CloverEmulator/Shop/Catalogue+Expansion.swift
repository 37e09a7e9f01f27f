extension Catalogue {
    /// A record with its expansions. Names the record does not have are ignored in silence (live sandbox notes).
    package func expanded(_ table: Table, _ place: Int, _ tree: ExpandTree) -> JSONValue {
        guard var json = row(table, place)?.json else { return .object([]) }
        for name in tree.names {
            guard let value = expansion(table, place, name, tree.inside(name)) else { continue }
            json.set(name, value)
        }
        return json
    }

    /// Places of the records of another collection that belong to a record, as `/{collection}/{id}/{name}` lists them.
    package func related(_ table: Table, _ place: Int, _ name: String) -> (table: Table, places: [Int])? {
        switch (table, name) {
        case (.items, "categories"): (.categories, MenuText.items[place].category.map { [$0] } ?? [])
        case (.items, "tags"): (.tags, MenuText.items[place].tags)
        case (.items, "taxRates"): (.taxRates, [MenuText.items[place].taxRate])
        case (.items, "modifierGroups"): (.modifierGroups, MenuText.items[place].groups)
        case (.categories, "items"): (.items, itemPlaces { $0.category == place })
        case (.tags, "items"): (.items, itemPlaces { $0.tags.contains(place) })
        case (.taxRates, "items"): (.items, itemPlaces { $0.taxRate == place })
        case (.modifierGroups, "items"): (.items, itemPlaces { $0.groups.contains(place) })
        case (.modifierGroups, "modifiers"): (.modifiers, menu.modifiers[place].map(\.place))
        case (.roles, "employees"): (.employees, staff(withRole: place))
        case (.employees, "roles"): (.roles, [Self.staffRoles[place]])
        default: nil
        }
    }

    private func expansion(_ table: Table, _ place: Int, _ name: String, _ inner: ExpandTree) -> JSONValue? {
        if let related = related(table, place, name) {
            return .elements(related.places.map { expanded(related.table, $0, inner) })
        }
        switch (table, name) {
        case (.items, "itemStock"): return itemStock(place)
        case (.items, "options"): return .elements([])
        case (.modifiers, "modifierGroup"):
            let group = menu.modifiers.firstIndex { $0.contains { $0.place == place } }
            return group.map { expanded(.modifierGroups, $0, inner) }
        default: return nil
        }
    }
}

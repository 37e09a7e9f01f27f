/// The menu with the seed's prices and everything page rendering needs about an item, ready as numbers.
package struct Menu: Sendable {
    /// What an order needs to know about an item.
    package struct Item: Sendable {
        package let name: String
        /// Cents; cents a pound when `isSoldByWeight`.
        package let price: Int
        package let isSoldByWeight: Bool
        /// Place of its tax rate.
        package let taxRate: Int
        package let groups: [Int]
    }

    /// A modifier with its place among all modifiers.
    package struct Modifier: Sendable {
        package let place: Int
        package let name: String
        /// Cents.
        package let price: Int
    }

    package let items: [Item]
    /// The modifiers of each group.
    package let modifiers: [[Modifier]]
    /// Item places, each as often as the item is popular, so that one draw picks an item.
    package let popularity: [Int]

    package init(seed: UInt64) {
        items = MenuText.items.enumerated().map { place, text in
            var random = SeededRandom(seed: seed, stream: .item, index: place)
            // Prices move by up to 12 % between shops, in steps of 5 cents; the bag charge is fixed by law.
            let percent = random.within(94...112)
            let price = text.price < 100 ? text.price : (text.price * percent + 250) / 500 * 5
            return Item(
                name: text.name, price: price, isSoldByWeight: text.unit != nil, taxRate: text.taxRate,
                groups: text.groups)
        }
        var place = 0
        modifiers = MenuText.modifierGroups.map { group in
            group.modifiers.map { modifier in
                defer { place += 1 }
                return Modifier(place: place, name: modifier.name, price: modifier.price)
            }
        }
        popularity = MenuText.items.enumerated().flatMap { place, text in
            Array(repeating: place, count: text.popularity)
        }
    }
}

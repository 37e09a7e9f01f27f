/// The café's menu before the seed varies its prices. Names deliberately contain accents, quotes, emoji and
/// right-to-left text, because real menus do and clients get them wrong.
enum MenuText {
    struct ItemText {
        let name: String
        /// Cents; for items sold by weight, cents per pound.
        let price: Int
        /// Index in `categories`; nil for an item without a category.
        let category: Int?
        /// Index in `taxRates`.
        let taxRate: Int
        /// Indexes in `modifierGroups`.
        let groups: [Int]
        /// Relative frequency in orders.
        let popularity: Int
        let tags: [Int]
        /// `lb` for items sold by weight.
        let unit: String?
        let isStocked: Bool
        /// Indexes in `categories`: soups in the last category also belong to the soups' category.
        var categories: [Int] { category.map { $0 == 7 ? [7, 5] : [$0] } ?? [] }

        init(
            _ name: String, _ price: Int, in category: Int?, tax taxRate: Int = 0, groups: [Int] = [],
            popularity: Int = 4, tags: [Int] = [], unit: String? = nil, isStocked: Bool? = nil
        ) {
            self.name = name
            self.price = price
            self.category = category
            self.taxRate = taxRate
            self.groups = groups
            self.popularity = popularity
            self.tags = tags
            self.unit = unit
            self.isStocked = isStocked ?? (category == 6)
        }
    }

    static let categories = [
        "Coffee & Espresso", "Tea", "Cold Drinks 🧊", "Bakery", "Breakfast", "Sandwiches & Salads", "Beans & Retail",
        "Спецпредложения",
    ]

    static let tags = ["Vegan 🌱", "Gluten free", "Contains nuts", "Seasonal"]

    /// Tax rates; 10,000,000 is 100 % (live sandbox notes).
    static let taxRates: [(name: String, rate: Int, isDefault: Bool)] = [
        ("Sales Tax", 887_500, true), ("Packaged goods", 0, false), ("Merchandise \"reduced\"", 450_000, false),
    ]

    /// Modifier groups: name, minimum and maximum number of choices (0 for no maximum), and modifiers with their prices.
    static let modifierGroups: [(name: String, least: Int, most: Int, modifiers: [(name: String, price: Int)])] = [
        ("Size", 1, 1, [("Small", 0), ("Medium", 50), ("Large", 100)]),
        (
            "Milk", 0, 1,
            [
                ("Whole milk", 0), ("Skim milk", 0), ("Oat milk", 75), ("Almond milk", 75), ("Soy milk", 60),
                ("Lait d’amande maison", 90),
            ]
        ),
        (
            "Extras", 0, 3,
            [
                ("Extra shot", 110), ("Vanilla syrup", 65), ("Caramel — “salé”", 65), ("Half sweet", 0), ("Decaf", 0),
                ("Extra hot 🔥", 0),
            ]
        ),
        ("Bread", 1, 1, [("Sourdough", 0), ("Rye", 0), ("Gluten-free", 150)]),
        (
            "Toppings", 0, 4,
            [("Avocado", 200), ("Fried egg", 175), ("Gruyère", 150), ("Jalapeños", 75), ("No onion", 0)]
        ),
    ]

    static let items = [
        ItemText("Espresso", 325, in: 0, groups: [2], popularity: 10, tags: [0]),
        ItemText("Macchiato", 375, in: 0, groups: [1, 2], popularity: 5),
        ItemText("Cortado", 400, in: 0, groups: [1, 2], popularity: 8),
        ItemText("Flat White", 450, in: 0, groups: [0, 1, 2], popularity: 20),
        ItemText("Cappuccino", 450, in: 0, groups: [0, 1, 2], popularity: 20),
        ItemText("Café au lait", 425, in: 0, groups: [0, 1], popularity: 8),
        ItemText("Caffè latte", 475, in: 0, groups: [0, 1, 2], popularity: 28),
        ItemText("Mocha \"Midnight\"", 550, in: 0, groups: [0, 1, 2], popularity: 10),
        ItemText("Drip coffee", 300, in: 0, groups: [0], popularity: 30, tags: [0]),
        ItemText("Pour-over Ethiopia Yirgacheffe", 525, in: 0, popularity: 6, tags: [0]),
        ItemText("Türk kahvesi", 450, in: 0, popularity: 4),
        ItemText("English Breakfast", 350, in: 1, groups: [0, 1], popularity: 6),
        ItemText("Earl Grey", 350, in: 1, groups: [0, 1], popularity: 6, tags: [0], isStocked: true),
        ItemText("شاي بالنعناع", 400, in: 1, groups: [0], popularity: 4, tags: [0]),
        ItemText("Chai latte", 500, in: 1, groups: [0, 1], popularity: 9),
        ItemText("Matcha Latte 🍵", 575, in: 1, groups: [0, 1], popularity: 8),
        ItemText("煎茶", 450, in: 1, popularity: 2, tags: [0]),
        ItemText("Cold brew", 475, in: 2, groups: [0, 2], popularity: 18, tags: [0]),
        ItemText("Iced latte", 525, in: 2, groups: [0, 1, 2], popularity: 16),
        ItemText("Lemonade", 400, in: 2, groups: [0], popularity: 7, tags: [0, 3]),
        ItemText("Sparkling water", 275, in: 2, tax: 1, popularity: 6, tags: [0]),
        ItemText("Croissant", 375, in: 3, popularity: 22),
        ItemText("Pain au chocolat", 425, in: 3, popularity: 14),
        ItemText("Almond croissant", 475, in: 3, popularity: 10, tags: [2]),
        ItemText("Crème brûlée tart", 650, in: 3, popularity: 4),
        ItemText("Grandma's \"Secret\" Cookie", 325, in: 3, popularity: 14, tags: [2]),
        ItemText("Banana bread 🍌", 400, in: 3, popularity: 9),
        ItemText("Blueberry muffin", 400, in: 3, popularity: 10),
        ItemText("חלבה", 375, in: 3, popularity: 3, tags: [0, 1]),
        ItemText("Kouign-amann", 525, in: 3, popularity: 5),
        ItemText("Avocado toast", 1250, in: 4, groups: [3, 4], popularity: 12, tags: [0]),
        ItemText("Bagel & lox", 1450, in: 4, groups: [4], popularity: 8),
        ItemText("Two eggs \\ any style", 1095, in: 4, groups: [3, 4], popularity: 7),
        ItemText("Granola bowl", 975, in: 4, popularity: 5, tags: [2]),
        ItemText("Huevos rancheros", 1395, in: 4, groups: [4], popularity: 5, tags: [1]),
        ItemText("Croque-monsieur", 1350, in: 5, groups: [4], popularity: 6),
        ItemText("12\" Turkey sub", 1295, in: 5, groups: [3, 4], popularity: 8),
        ItemText("Caprese <panini>", 1195, in: 5, groups: [4], popularity: 7),
        ItemText("Kale Caesar", 1150, in: 5, groups: [4], popularity: 5),
        ItemText("Soup of the day / Tagessuppe", 795, in: 5, groups: [3], popularity: 6, tags: [3]),
        ItemText("House blend beans", 1895, in: 6, tax: 1, popularity: 4, tags: [0], unit: "lb"),
        ItemText("Single origin beans — Kenya", 2450, in: 6, tax: 1, popularity: 3, tags: [0], unit: "lb"),
        ItemText("Loose leaf tea", 3200, in: 6, tax: 1, popularity: 2, tags: [0], unit: "lb"),
        ItemText("Keep-cup ♻️", 2200, in: 6, tax: 2, popularity: 2),
        ItemText("T-shirt “Zoë’s”", 2800, in: 6, tax: 2, popularity: 1),
        ItemText("Борщ дня", 850, in: 7, popularity: 3, tags: [3]),
        ItemText("Bag charge", 10, in: nil, tax: 1, popularity: 5),
    ]

    /// The index in `items` of the item for adults only.
    static let itemForAdults = 24

    /// The index of a modifier of a group among all modifiers.
    static func place(ofModifier index: Int, in group: Int) -> Int {
        modifierGroups[..<group].reduce(index) { $0 + $1.modifiers.count }
    }

    /// Discounts of the catalogue: percent, or a negative amount in cents (live sandbox notes: an order discount must
    /// be negative).
    static let discounts: [(name: String, percentage: Int?, amount: Int?)] = [
        ("Happy hour 🎉", 10, nil), ("Neighbor's discount", 15, nil), ("Staff", 50, nil), ("$2 off", nil, -200),
        ("Étudiant", 12, nil),
    ]
    static let customLines = ["Custom amount", "Catering deposit", "Gift wrapping 🎁", "Corkage"]
    static let notes = [
        "Extra napkins please", "Allergy: nuts!", "Birthday 🎂 — candle", "Please: \"no sugar\", twice",
        "Leave at door\nring bell", "للسيدة في الزاوية", "path C:\\tables\\4", "Tab\tseparated", "Ohne Zwiebeln, bitte",
        "窓際の席", "<b>window seat</b> & quiet",
    ]
    static let shopNames = [
        "Zoë’s Corner Café", "Café “La Colombe d’Or”", "Blue Door Coffee & Tea", "Kaffeehaus Ümlaut",
        "The Daily Grind ☕️",
        "Café Niño",
    ]
    static let streets = ["Bleecker Street", "Broome Street", "Jane Street", "Mott Street", "Avenue B"]
}

/// The seed's prices, and the choice of items.
struct Menu: Sendable {
    /// Cents of each item; cents per pound for items sold by weight.
    let prices: [Int]
    /// Item indexes, repeated by popularity, so that one random number picks an item.
    let popularity: [Int]

    init(seed: UInt64) {
        prices = MenuText.items.enumerated().map { place, text in
            var random = SeededRandom(seed: seed, stream: .item, index: place)
            // Prices vary by up to 12 % between shops, in steps of 5 cents; the bag charge is fixed by law.
            let percent = random.within(94...112)
            return text.price < 100 ? text.price : (text.price * percent + 250) / 500 * 5
        }
        popularity = MenuText.items.enumerated().flatMap { place, text in
            Array(repeating: place, count: text.popularity)
        }
    }
}

/// Names, towns and domains for staff and customers, with many scripts, quotes, apostrophes and emoji.
enum PeopleText {
    static let staff: [(name: String, nickname: String)] = [
        ("Zoë Abernathy", "Zoë"), ("Ben Kowalski", "Benny \"B\""), ("Siobhán O'Rourke", "Shiv"),
        ("José Núñez", "Pepe"), ("Ayşe Yıldırım", "Ayşe"), ("נועה לוי", "נועה"), ("Hiroshi 田中", "Hiro"),
        ("Marguerite d’Aubigné", "Margot"), ("Dwayne \"DJ\" Carter", "DJ"), ("Łukasz Żak", "Luke 🎸"),
        ("Fatima الزهراء", "Fati"), ("Kim Larsen", "Kim"),
    ]

    static let firstNames = [
        "Olivia", "Liam", "Emma", "Noah", "Zoë", "José", "María", "Renée", "François", "Jürgen", "Søren", "Łucja",
        "Siobhán", "Aoife", "Nikolaï", "Anaïs", "Björk", "İpek", "Nguyễn", "Chloé", "Aisha", "محمد", "فاطمة", "יעל",
        "דוד", "さくら", "健", "伟", "Дмитрий", "Ольга", "Robert \"Bob\"", "Mary-Jane", "D'Angelo", "Émile", "Ana 🌸",
        "Max", "Priya", "Kwame", "Ingrid", "Tomás",
    ]

    static let lastNames = [
        "Smith", "Johnson", "O'Brien", "Müller", "García", "Lefèvre", "Nowak", "Žižek", "Åkesson", "d’Artagnan", "Chen",
        "Nakamura", "כהן", "الخطيب", "Иванова", "Papadopoulos", "van der Berg", "St. John", "Núñez", "Þórsson",
        "Smith & Sons", "Kim", "Okafor", "Silva", "Ó Súilleabháin", "Brown", "Williams", "Rossi", "Dvořák", "Ñandú",
    ]

    static let cities: [(city: String, state: String, zip: String)] = [
        ("New York", "NY", "10012"), ("Brooklyn", "NY", "11201"), ("Hoboken", "NJ", "07030"),
        ("Cañon City", "CO", "81212"), ("Española", "NM", "87532"), ("Coeur d'Alene", "ID", "83814"),
    ]

    static let streets = ["Main St", "2nd Ave", "Élysée Ct", "O'Connell Blvd", "Peña Rd", "Straße des 17. Juni"]
    static let domains = ["example.com", "example.net", "example.org", "mail.example.com"]
    static let businesses = ["Acme \"Widgets\" Inc.", "Società S.p.A.", "株式会社サンプル", "Ben & Jo’s"]
}

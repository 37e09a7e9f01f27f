/// Names, towns and domains for staff and customers: many scripts, quotes, apostrophes, emoji.
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

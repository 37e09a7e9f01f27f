/// Generates customers from their numbers; nothing is stored.
struct CustomerGenerator: Sendable {
    let settings: ShopSettings
    /// When the shop opened, in milliseconds since 1970.
    let start: Int

    /// Number of customers: one per ten orders, at least 12, at most 20,000.
    var count: Int { min(max(settings.orderCount / 10, 12), 20_000) }
    private var span: Int { settings.now - start }

    /// Number of customers who had certainly signed up by a time; they have the lowest numbers.
    func count(at milliseconds: Int) -> Int {
        min(max((milliseconds - start) / max(span / count, 1), 0), count)
    }

    /// The customer with a number below `count`.
    func customer(_ number: Int) -> CustomerRecord {
        var random = SeededRandom(seed: settings.seed, stream: .customer, index: number)
        let firstName = random.pick(PeopleText.firstNames)
        let lastName = random.pick(PeopleText.lastNames)
        let hasOneName = random.chance(perMille: 30)
        // Customers sign up throughout the history, in the order of their numbers.
        let since = start + max(span / count, 1) * number + random.below(max(span / count, 1))
        let domain = random.pick(PeopleText.domains)
        var emails: [String] = []
        if random.chance(perMille: 800) { emails.append("guest\(number)+news@\(domain)") }
        if random.chance(perMille: 80) { emails.append("g.\(number)@\(domain)") }
        var phones: [String] = []
        if random.chance(perMille: 700) { phones.append(Self.phone(&random)) }
        if random.chance(perMille: 60) { phones.append("+44 20 7946 0\(random.within(100...999))") }
        var addresses: [CustomerRecord.Address] = []
        if random.chance(perMille: 400) {
            let city = random.pick(PeopleText.cities)
            let street = random.pick(PeopleText.streets)
            let flat = random.chance(perMille: 300) ? "Apt #\(random.within(1...40))" : nil
            addresses.append(
                .init(
                    street: "\(random.within(1...1999)) \(street)", second: flat, city: city.city, state: city.state,
                    zip: city.zip))
        }
        let business = random.chance(perMille: 50)
        return CustomerRecord(
            number: number, firstName: firstName, lastName: hasOneName ? nil : lastName,
            marketingAllowed: random.chance(perMille: 450), customerSince: since, emailAddresses: emails,
            phoneNumbers: phones, addresses: addresses,
            businessName: business ? random.pick(PeopleText.businesses) : nil,
            note: random.chance(perMille: 70) ? random.pick(MenuText.notes) : nil)
    }

    /// A phone number of the range reserved for fiction, 555-0100 to 555-0199 (North American Numbering Plan), in the
    /// various spellings that people use.
    private static func phone(_ random: inout SeededRandom) -> String {
        let area = random.pick([212, 347, 718, 917])
        let line = random.within(100...199)
        return switch random.below(3) {
        case 0: "\(area)5550\(line)"
        case 1: "(\(area)) 555-0\(line)"
        default: "+1 \(area) 555 0\(line)"
        }
    }
}

/// A customer of the shop, with everything that the service can show.
struct CustomerRecord: Sendable {
    struct Address: Sendable {
        let street: String
        let second: String?
        let city: String
        let state: String
        let zip: String
    }

    /// Customer number, from 0, the oldest.
    let number: Int
    let firstName: String
    /// Absent for customers with a single name.
    let lastName: String?
    let marketingAllowed: Bool
    /// Milliseconds since 1970.
    let customerSince: Int
    let emailAddresses: [String]
    let phoneNumbers: [String]
    let addresses: [Address]
    let businessName: String?
    let note: String?

    var fullName: String {
        if let lastName { firstName + " " + lastName } else { firstName }
    }
}

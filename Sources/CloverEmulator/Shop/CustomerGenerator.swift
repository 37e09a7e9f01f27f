/// Generates customers from their numbers; nothing is stored.
package struct CustomerGenerator: Sendable {
    /// Number of customers: one per ten orders, at least 12, at most 20,000.
    package let count: Int
    private let seed: UInt64
    private let start: Int
    private let end: Int

    /// - Parameters:
    ///   - start: when the shop opened, in milliseconds since 1970.
    ///   - end: the end of its history.
    package init(seed: UInt64, orderCount: Int, start: Int, end: Int) {
        self.seed = seed
        self.start = start
        self.end = end
        count = min(max(orderCount / 10, 12), 20_000)
    }

    /// Number of customers who had certainly signed up by a time; they have the lowest numbers.
    package func count(at milliseconds: Int) -> Int {
        min(max((milliseconds - start) / max((end - start) / count, 1), 0), count)
    }

    /// The customer with a number below `count`.
    package func customer(_ number: Int) -> CustomerRecord {
        var random = SeededRandom(seed: seed, stream: .customer, index: number)
        let firstName = PeopleText.firstNames[random.below(PeopleText.firstNames.count)]
        let lastName = PeopleText.lastNames[random.below(PeopleText.lastNames.count)]
        let hasOneName = random.chance(perMille: 30)
        // Customers sign up throughout the history, in the order of their numbers.
        let span = end - start
        let since = start + max(span / count, 1) * number + random.below(max(span / count, 1))
        let domain = PeopleText.domains[random.below(PeopleText.domains.count)]
        var emails: [String] = []
        if random.chance(perMille: 800) { emails.append("guest\(number)+news@\(domain)") }
        if random.chance(perMille: 80) { emails.append("g.\(number)@\(domain)") }
        var phones: [String] = []
        if random.chance(perMille: 700) { phones.append(Self.phone(&random)) }
        if random.chance(perMille: 60) { phones.append("+44 20 7946 0\(random.within(100...999))") }
        var addresses: [CustomerRecord.Address] = []
        if random.chance(perMille: 400) {
            let city = PeopleText.cities[random.below(PeopleText.cities.count)]
            let street = PeopleText.streets[random.below(PeopleText.streets.count)]
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
            businessName: business ? PeopleText.businesses[random.below(PeopleText.businesses.count)] : nil,
            note: random.chance(perMille: 70) ? MenuText.notes[random.below(MenuText.notes.count)] : nil)
    }

    /// A phone number of the range reserved for fiction, 555-0100 to 555-0199 (North American Numbering Plan), in the
    /// various spellings that people use.
    private static func phone(_ random: inout SeededRandom) -> String {
        let area = [212, 347, 718, 917][random.below(4)]
        let line = random.within(100...199)
        return switch random.below(3) {
        case 0: "\(area)5550\(line)"
        case 1: "(\(area)) 555-0\(line)"
        default: "+1 \(area) 555 0\(line)"
        }
    }
}

/// A customer of the shop, with everything that the service can show.
package struct CustomerRecord: Sendable {
    package struct Address: Sendable {
        package let street: String
        package let second: String?
        package let city: String
        package let state: String
        package let zip: String
    }

    /// Customer number, from 0, the oldest.
    package let number: Int
    package let firstName: String
    /// Absent for customers with a single name.
    package let lastName: String?
    package let marketingAllowed: Bool
    /// Milliseconds since 1970.
    package let customerSince: Int
    package let emailAddresses: [String]
    package let phoneNumbers: [String]
    package let addresses: [Address]
    package let businessName: String?
    package let note: String?

    /// First and last name, separated by a space.
    package var fullName: String {
        if let lastName { firstName + " " + lastName } else { firstName }
    }
}

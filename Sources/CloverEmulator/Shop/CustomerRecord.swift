/// One customer of the shop, with everything the service can show about them.
package struct CustomerRecord: Sendable {
    package struct Address: Sendable {
        package let street: String
        package let second: String?
        package let city: String
        package let state: String
        package let zip: String
    }

    /// Number of the customer, from 0, the oldest.
    package let number: Int
    package let firstName: String
    /// Absent for people who gave one name only.
    package let lastName: String?
    package let marketingAllowed: Bool
    /// Milliseconds since 1970.
    package let customerSince: Int
    package let emailAddresses: [String]
    package let phoneNumbers: [String]
    package let addresses: [Address]
    package let businessName: String?
    package let note: String?

    /// First and last name with one space between.
    package var fullName: String {
        if let lastName { firstName + " " + lastName } else { firstName }
    }
}

/// When the service takes exports, in UTC (Clover documentation, exporting merchant data).
package enum ExportHours: String, Sendable, CaseIterable {
    /// The sandbox's: always.
    case any
    case us, eu

    private static let names = ["MON-FRI", "SAT", "SUN"]

    /// First and last hour of a working day, of a Saturday and of a Sunday; nil for always.
    private var hours: [Range<Int>]? {
        switch self {
        case .any: nil
        case .us: [10..<15, 10..<15, 10..<15]
        case .eu: [1..<5, 2..<5, 2..<6]
        }
    }

    /// - Parameter instant: milliseconds since 1970.
    package func permits(_ instant: Int) -> Bool {
        guard let hours else { return true }
        let (day, time) = instant.quotientAndRemainder(dividingBy: 86_400_000)
        let place =
            switch CivilDate.weekday(ofDayNumber: day) {
            case 0: 2
            case 6: 1
            default: 0
            }
        return hours[place].contains(time / 3_600_000)
    }

    /// The hours as the documentation writes them.
    package var text: String {
        zip(Self.names, hours ?? []).map { name, hours in
            "\(name) \(Self.clock(hours.lowerBound))-\(Self.clock(hours.upperBound))"
        }.joined(separator: ", ")
    }

    private static func clock(_ hour: Int) -> String {
        (hour < 10 ? "0" : "") + "\(hour):00"
    }
}

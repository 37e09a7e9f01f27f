/// An export that was asked for. What it stands for follows from the time, so that nothing has to happen in between.
struct ExportJob: Sendable {
    /// What can be exported, as the service names it.
    enum Kind: String, Sendable, CaseIterable {
        case orders = "ORDERS"
        case payments = "PAYMENTS"
    }

    /// The most records of a file (Clover documentation, exporting merchant data).
    static let mostRecords = 1000

    let id: String
    let kind: Kind
    /// The creation times that are asked for, in milliseconds since 1970. Whether the service takes the end in no source
    /// tells.
    let range: Range<Int>
    /// In milliseconds since 1970, by the clock of exports.
    let createdTime: Int
    let duration: Int
    let fileLife: Int
    let fails: Bool
    /// The shop when it was asked for: exports are not of the moment they are fetched.
    let view: ShopView
    /// What makes an address one that cannot be guessed.
    let signature: String

    private var doneTime: Int { createdTime + duration }
    var availableUntil: Int { doneTime + fileLife }

    func isDone(at now: Int) -> Bool { now >= doneTime }

    /// The files it has at a time; none before the end, after a failure, and when they are deleted.
    func files(at now: Int) -> Int {
        guard isDone(at: now), !fails, now < availableUntil else { return 0 }
        return fileCount
    }

    private var fileCount: Int { (positions.count + Self.mostRecords - 1) / Self.mostRecords }

    /// - Parameter base: what addresses of files begin with, such as `http://127.0.0.1:8080`.
    func json(at now: Int, merchant: String, base: String) -> JSONValue {
        let isDone = isDone(at: now)
        let elapsed = now - createdTime
        let status = isDone ? (fails ? "FAILED" : "DONE") : elapsed * 4 < duration ? "PENDING" : "IN_PROGRESS"
        let percent = isDone ? 100 : status == "PENDING" ? 0 : elapsed * 100 / max(duration, 1)
        var json: JSONValue = .object([
            ("id", .string(id)), ("type", .string(kind.rawValue)), ("status", .string(status)),
            ("percentComplete", .integer(percent)),
        ])
        if isDone, !fails { json.append("availableUntil", .integer(availableUntil)) }
        json.append("startTime", .integer(range.lowerBound))
        json.append("endTime", .integer(range.upperBound))
        json.append("createdTime", .integer(createdTime))
        json.append("modifiedTime", .integer(isDone ? doneTime : max(createdTime, now)))
        if isDone, !fails {
            let addresses = (0..<fileCount).map { number -> JSONValue in
                .object([
                    ("url", .string("\(base)/export-files/\(id)/\(number + 1).json?Signature=\(signature)")),
                    ("export", .reference(id)),
                ])
            }
            json.append("exportUrls", .kept(addresses))
        }
        json.append("merchantRef", .reference(merchant))
        return json
    }

    /// The content of a file, counted from 1.
    func file(_ number: Int) -> [UInt8] {
        let places = positions.dropFirst((number - 1) * Self.mostRecords).prefix(Self.mostRecords)
        switch kind {
        case .orders: return Self.file(view.orders(), places)
        case .payments: return Self.file(view.payments(), places)
        }
    }

    private var positions: [Int] {
        switch kind {
        case .orders: Self.positions(view.orders(), range)
        case .payments: Self.positions(view.payments(), range)
        }
    }

    private static func positions<Source: RecordSource>(_ source: Source, _ range: Range<Int>) -> [Int] {
        (0..<source.count).filter { range.contains(source.createdTime(at: $0)) }
    }

    private static func file<Source: RecordSource>(_ source: Source, _ positions: ArraySlice<Int>) -> [UInt8] {
        var writer = JSONWriter(capacity: 65_536)
        var scratch = source.makeScratch(expanding: .none)
        writer.raw("{\"elements\":[")
        for (place, position) in positions.enumerated() {
            if place > 0 { writer.byte(UInt8(ascii: ",")) }
            source.load(position, into: &scratch)
            source.write(&scratch, to: &writer)
        }
        writer.raw("]}")
        return writer.bytes()
    }
}

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

/// How the Export API of an emulator behaves.
package struct ExportSettings: Sendable {
    package var hours = ExportHours.any
    /// From the request to the last file; the service's is not told.
    package var time = Duration.milliseconds(300)
    /// How long files are kept after that (Clover documentation, exporting merchant data).
    package var fileLife = Duration.seconds(24 * 3600)
    /// How many exports the service makes at once: "a few" (same page).
    package var slots = 3
    /// So many exports, from the first on, end without files. No source tells how that looks.
    package var failures = 0
    /// What time it is for exports at the start, in milliseconds since 1970; nil for the system's.
    package var now: Int?

    package init() {}
}

/// A requested export. Its state follows from the time, so nothing has to run in the background.
struct ExportJob: Sendable {
    /// The record types that can be exported, as the service names them.
    enum Kind: String, Sendable, CaseIterable {
        case orders = "ORDERS"
        case payments = "PAYMENTS"
    }

    /// Maximum number of records per file (Clover documentation, exporting merchant data).
    static let mostRecords = 1000

    let id: String
    let kind: Kind
    /// The requested range of creation times, in milliseconds since 1970. No source says whether the service includes
    /// the end.
    let range: Range<Int>
    /// In milliseconds since 1970, by the export clock.
    let createdTime: Int
    let duration: Int
    let fileLife: Int
    let fails: Bool
    /// The shop at the time of the request: files show that state, whenever they are fetched.
    let view: ShopView
    /// The part of a file's URL that cannot be guessed.
    let signature: String

    private var doneTime: Int { createdTime + duration }
    var availableUntil: Int { doneTime + fileLife }

    func isDone(at now: Int) -> Bool { now >= doneTime }

    /// The number of files at a time: zero before completion, after a failure, and after they expire.
    func files(at now: Int) -> Int {
        guard isDone(at: now), !fails, now < availableUntil else { return 0 }
        return fileCount
    }

    private var fileCount: Int { (positions.count + Self.mostRecords - 1) / Self.mostRecords }

    /// - Parameter base: the start of file URLs, such as `http://127.0.0.1:8080`.
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

/// The hours when the service accepts export requests, in UTC (Clover documentation, exporting merchant data).
package enum ExportHours: String, Sendable, CaseIterable {
    /// At any time, as in the sandbox.
    case any
    case us, eu

    private static let names = ["MON-FRI", "SAT", "SUN"]

    /// The hours on weekdays, on Saturday and on Sunday; nil for always.
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

    /// The hours in the documentation's notation.
    package var text: String {
        zip(Self.names, hours ?? []).map { name, hours in
            "\(name) \(Self.clock(hours.lowerBound))-\(Self.clock(hours.upperBound))"
        }.joined(separator: ", ")
    }

    private static func clock(_ hour: Int) -> String {
        "\(hour.digits(2)):00"
    }
}

/// Settings of the emulated Export API.
package struct ExportSettings: Sendable {
    package var hours = ExportHours.any
    /// Time from the request to completion; the real duration is not documented.
    package var time = Duration.milliseconds(300)
    /// How long files are kept afterwards (Clover documentation, exporting merchant data).
    package var fileLife = Duration.seconds(24 * 3600)
    /// Maximum number of concurrent exports: "a few" (same page).
    package var slots = 3
    /// Number of exports, counted from the first, that fail. No source describes what a failed export looks like.
    package var failures = 0
    /// Initial time of the export clock, in milliseconds since 1970; nil for the system time.
    package var now: Int?

    package init() {}
}

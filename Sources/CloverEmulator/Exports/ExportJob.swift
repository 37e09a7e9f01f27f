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
    private var availableUntil: Int { doneTime + fileLife }
    private var source: OverlaySource<OrderSource> { kind == .orders ? view.orders() : view.payments() }
    private var positions: [Int] {
        let source = source
        return (0..<source.count).filter { range.contains(source.createdTime(at: $0)) }
    }
    private var fileCount: Int { (positions.count + Self.mostRecords - 1) / Self.mostRecords }

    func isDone(at now: Int) -> Bool { now >= doneTime }

    /// The number of files at a time: zero before completion, after a failure, and after they expire.
    func files(at now: Int) -> Int {
        isDone(at: now) && !fails && now < availableUntil ? fileCount : 0
    }

    /// - Parameter base: the start of file URLs, such as `http://127.0.0.1:8080`.
    func json(at now: Int, merchant: String, base: String) -> JSONValue {
        let isDone = isDone(at: now)
        let hasFiles = isDone && !fails
        let elapsed = now - createdTime
        let status = isDone ? (fails ? "FAILED" : "DONE") : elapsed * 4 < duration ? "PENDING" : "IN_PROGRESS"
        let percent = isDone ? 100 : status == "PENDING" ? 0 : elapsed * 100 / max(duration, 1)
        let addresses = (0..<(hasFiles ? fileCount : 0)).map { number -> JSONValue in
            let path = "export-files/\(id)/\(number + 1).json"
            return ["url": "\(base)/\(path)?Signature=\(signature)", "export": .reference(id)]
        }
        return [
            "id": .string(id), "type": .string(kind.rawValue), "status": .string(status),
            "percentComplete": .integer(percent), "availableUntil": hasFiles ? .integer(availableUntil) : nil,
            "startTime": .integer(range.lowerBound), "endTime": .integer(range.upperBound),
            "createdTime": .integer(createdTime),
            "modifiedTime": .integer(isDone ? doneTime : max(createdTime, now)),
            "exportUrls": hasFiles ? .kept(addresses) : nil, "merchantRef": .reference(merchant),
        ]
    }

    /// The content of a file, counted from 1.
    func file(_ number: Int) -> [UInt8] {
        let places = positions.dropFirst((number - 1) * Self.mostRecords).prefix(Self.mostRecords)
        return PageWriter.collection(source, places, expanding: .none)
    }
}

/// The hours when the service accepts export requests, in UTC (Clover documentation, exporting merchant data).
package enum ExportHours: String, Sendable, CaseIterable {
    /// At any time, as in the sandbox.
    case any
    case us, eu

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
        let weekday = CivilDate.weekday(ofDayNumber: day)
        return hours[weekday == 0 ? 2 : weekday == 6 ? 1 : 0].contains(time / 3_600_000)
    }

    /// The hours in the documentation's notation.
    var text: String {
        zip(["MON-FRI", "SAT", "SUN"], hours ?? []).map { name, hours in
            "\(name) \(hours.lowerBound.digits(2)):00-\(hours.upperBound.digits(2)):00"
        }.joined(separator: ", ")
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

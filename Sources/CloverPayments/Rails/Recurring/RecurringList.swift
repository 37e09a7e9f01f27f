import CloverAPI
import CloverHTTP
package import CloverJSON
import CloverSystem
import FoundationEssentials

/// The plans and subscriptions of a merchant, as the service has them.
package struct RecurringList: Sendable {
    let client: PaymentClient
    let merchantID: String

    package static let plans = "/recurring/v1/plans"
    package static let subscriptions = "/recurring/v1/subscriptions"
    /// Ends the days of the recurring API, which has ISO 8601 text in place of milliseconds.
    package static let midnight = "T00:00:00.000Z"

    private static let pageSize = 100
    /// Times whose years have four digits, in milliseconds since 1970.
    private static let years: Range<Int64> = -62_135_596_800_000..<253_402_300_800_000
    private var records: RecordReader { RecordReader(client: client, headers: Self.headers(merchantID)) }

    package init(client: PaymentClient, merchantID: String) {
        self.client = client
        self.merchantID = merchantID
    }

    /// A plan or subscription.
    package struct Row: Sendable {
        package let id: String
        package let tree: JSONTree

        fileprivate init(id: String, tree: JSONTree) {
            self.id = id
            self.tree = tree
        }

        /// Nil for anything without an ID.
        init?(_ tree: JSONTree) {
            guard let id = tree["id"]?.string, !id.isEmpty else { return nil }
            self.id = id
            self.tree = tree
        }

        /// Whether it is neither deleted nor cancelled, as far as it shows.
        package var isActive: Bool { tree["active"]?.bool != false && tree["deletedTime"] == nil }

        /// Whether nothing shows it as ended, or leaves that unclear: what was just made has to be active.
        var isCertainlyActive: Bool {
            let status = tree["status"]?.string?.uppercased() ?? "ACTIVE"
            return isActive && (tree["active"].map { $0.bool == true } ?? true)
                && !["CANCEL", "INACTIVE", "DELETE", "END", "EXPIRE"].contains(where: status.hasPrefix)
        }

        /// When it was made, in milliseconds since 1970; nil if that is not shown.
        var createdAt: Int64? { time("createdTime") }

        /// Whether its last day is not after the day of a time, in milliseconds since 1970.
        package func ends(by now: Int64) -> Bool { time("endDate").map { $0 <= now + RecurringRail.day } ?? false }

        /// A time, in milliseconds since 1970; nil if it is not shown.
        func time(_ name: String) -> Int64? { tree[name].flatMap { RecurringList.instant($0) } }
    }

    /// A list that was read to its end.
    package struct Listing: Sendable {
        package fileprivate(set) var rows: [Row] = []
        /// When its first page was sent, by the service's clock, in milliseconds since 1970; nil if it does not say.
        fileprivate(set) var readAt: Int64?
    }

    /// The path of one plan or subscription.
    package static func path(isPlan: Bool, _ id: String) -> String {
        (isPlan ? plans : subscriptions) + "/" + PercentCoding.encode(id)
    }

    private static let subscriptionsSuffix = "/subscriptions"

    package static func subscriptions(ofPlan plan: String) -> String {
        "\(plans)/\(PercentCoding.encode(plan))" + subscriptionsSuffix
    }

    static func headers(_ merchantID: String) -> [HTTPHeader] {
        [HTTPHeader(name: "X-Clover-Merchant-Id", value: merchantID)]
    }

    /// The members that may name the customer of a subscription: the request and the response differ.
    private static let customerNames = ["customerUuid", "customerId", "customer"]

    /// The customer of a subscription.
    package static func customer(of row: JSONTree) -> String? {
        customerNames.compactMap { row[$0]?.identifier }.first
    }

    /// The amount, in the smallest unit; a number may come as text.
    package static func amount(of row: JSONTree) -> Int64? {
        row["amount"].flatMap(number)
    }

    /// The amount of a subscription's plan; nil if the subscription does not show it.
    package static func planAmount(of row: JSONTree) -> Int64? {
        row["plan"].flatMap { amount(of: $0) }
    }

    /// Whether a value is shown as it was asked for. A number may come as text, and a day with another time.
    package static func isSame(_ shown: JSONTree?, _ asked: JSONTree) -> Bool {
        if case .integer(let number) = asked { return shown?.int == number || shown?.string == "\(number)" }
        guard asked.string?.hasSuffix(midnight) == true, let shown else { return shown == asked }
        return isSameDay(shown, asked)
    }

    /// Whether a time means the day that was asked for: it names that day in its own offset, or it is the instant at which
    /// the day begins, or one of its last second.
    private static func isSameDay(_ shown: JSONTree, _ asked: JSONTree) -> Bool {
        if let day = Self.day(of: shown), day == Self.day(of: asked) { return true }
        guard let shown = instant(shown), let asked = instant(asked) else { return false }
        let end = asked + RecurringRail.day
        return shown == asked || asked % RecurringRail.day == 0 && (end - 1000..<end).contains(shown)
    }

    /// The day that a time means in its own offset, such as `2027-06-01`. The last second of a day in the United States
    /// or Canada, where there are subscriptions, means that day if it is shown in UTC, too.
    private static func day(of time: JSONTree) -> Substring? {
        let isInUTC = number(time) != nil || time.string?.hasSuffix("Z") == true
        guard isInUTC, let milliseconds = instant(time), isLastSecond(milliseconds) else {
            return dateText(time)?.prefix(10)
        }
        return dateText(.integer(milliseconds - RecurringRail.day / 2))?.prefix(10)
    }

    /// Whether a time, in milliseconds since 1970, is the last second of a day in a zone from 10 hours to 2.5 hours behind UTC.
    private static func isLastSecond(_ time: Int64) -> Bool {
        let seconds = (time / 1000 + 1) % 86_400
        let hour: Int64 = 3600
        return seconds % hour == 0 && (3 * hour...10 * hour).contains(seconds)
            || [5 * hour / 2, 7 * hour / 2].contains(seconds)
    }

    /// A time in ISO 8601, as the service shows it; one in milliseconds since 1970, in UTC.
    package static func dateText(_ time: JSONTree?) -> String? {
        guard let milliseconds = time.flatMap(number) else { return time?.string }
        guard years.contains(milliseconds) else { return nil }
        return Date.ISO8601FormatStyle(includingFractionalSeconds: true)
            .format(Date(timeIntervalSince1970: Double(milliseconds) / 1000))
    }

    /// A number, which may come as text.
    private static func number(_ value: JSONTree) -> Int64? { value.int ?? value.string.flatMap { Int64($0) } }

    /// A time in milliseconds since 1970, of a number or of ISO 8601 text.
    private static func instant(_ time: JSONTree) -> Int64? {
        if let milliseconds = number(time) { return years.contains(milliseconds) ? milliseconds : nil }
        guard let text = time.string else { return nil }
        for hasFraction in [true, false] {
            do {
                let form = Date.ISO8601FormatStyle(includingFractionalSeconds: hasFraction)
                return Int64((try Date(text, strategy: form).timeIntervalSince1970 * 1000).rounded())
            } catch {
                // The other form, or none.
            }
        }
        return nil
    }

    /// How a row shows one field otherwise than it was sent: the words for what it shows; nil if it does not. A member
    /// that is absent shows nothing, and null shows that there is none.
    package static func difference(of row: JSONTree, _ name: String, from sent: JSONTree) -> String? {
        guard case .object(let members) = row, let shown = members[name] else { return nil }
        guard shown != .null else { return sent == .null ? nil : "no \(name)" }
        // Either may have a number as text.
        guard !isSame(shown, sent), !isSame(sent, shown) else { return nil }
        // Lists and objects may come in another form.
        if sent.list != nil || sent.isObject { return nil }
        // The service may round a time; a day is what was meant.
        if name.hasSuffix("Date"), isSameDay(shown, sent) || isSameDay(sent, shown) { return nil }
        return "\(name) \(ServiceErrorBody.oneLine(shown.text))"
    }

    /// What of a row decides who is charged, how much and when.
    package static let terms = [
        "name", "amount", "currency", "tipAmount", "taxRateUuids", "interval", "intervalCount", "trialDays",
        "collectionMethod", "startDate", "endDate", "active",
    ]

    /// What of a row is for people to read.
    private static let texts = ["note", "description", "tags"]

    /// What of a row is compared with what it was before a change.
    package static let compared = terms + texts

    /// A term of a row; nil if there is none: an empty list or text, or no tip or days of trial, is none.
    private static func term(_ name: String, of row: JSONTree) -> JSONTree? {
        guard let value = row[name], (value["elements"] ?? value).list?.isEmpty != true, value.string != ""
        else { return nil }
        return ["tipAmount", "trialDays"].contains(name) && number(value) == 0 ? nil : value
    }

    /// The entries of a list, in any order; nil for anything else.
    private static func entries(_ value: JSONTree) -> [String]? {
        (value["elements"] ?? value).list.map { $0.map { $0.identifier ?? $0.text }.sorted() }
    }

    /// How a row differs from what it was before, in who is charged, how much and when, and in texts that it had: words for
    /// each difference.
    ///
    /// - Parameter changed: the members that were to be changed, which are left out.
    package static func differences(of row: JSONTree, from before: JSONTree, besides changed: Set<String>) -> [String] {
        var words: [String] = []
        for name in compared where !changed.contains(name) {
            guard let earlier = term(name, of: before) else {
                guard !texts.contains(name), let shown = term(name, of: row), name != "active" || shown.bool == false
                else { continue }
                words.append("\(name) \(ServiceErrorBody.oneLine(shown.text)), which it did not have")
                continue
            }
            if let shown = term(name, of: row) {
                let isOtherList = entries(shown) != entries(earlier)
                let list = isOtherList ? "\(name) \(ServiceErrorBody.oneLine(shown.text))" : nil
                guard let difference = list ?? Self.difference(of: row, name, from: earlier) else { continue }
                words.append("\(difference) in place of \(name) \(earlier.text)")
            } else {
                words.append("no \(name) in place of \(name) \(earlier.text)")
            }
        }
        // Without its own amount, a subscription has that of its plan.
        if amount(of: before) == nil, amount(of: row) == nil, let earlier = planAmount(of: before) {
            let shown = planAmount(of: row)
            let now = shown.map { "plan amount \($0)" } ?? "no plan amount"
            if shown != earlier { words.append("\(now) in place of plan amount \(earlier)") }
        }
        for (noun, names) in [("plan", ["plan"]), ("customer", customerNames)] {
            let all = names.compactMap { before[$0]?.identifier }
            for name in names {
                let (earlier, shown) = (before[name]?.identifier, row[name]?.identifier)
                // A member that was not there before may name the same one.
                let isKnown = earlier == nil && all.contains { $0 == shown }
                guard earlier != shown, !isKnown, let old = earlier ?? all.first else { continue }
                let now = shown.map { "\(noun) \(ServiceErrorBody.oneLine($0))" } ?? "no \(noun)"
                words.append("\(now) in place of \(noun) \(old)")
            }
        }
        return words
    }

    /// Reads a whole list.
    ///
    /// - Throws: `RecurringError.malformed` if the list cannot be proved complete.
    package func read(_ path: String) async throws(RecurringError) -> Listing {
        var listing = Listing()
        do throws(RecordReader.Failure) {
            listing.readAt = try await records.list(path, pageSize: Self.pageSize) { id, tree in
                listing.rows.append(Row(id: id, tree: tree))
            }
        } catch {
            throw RecurringError(error)
        }
        return listing
    }

    /// One plan or subscription; nil if there is none.
    package func row(isPlan: Bool, _ id: String) async throws(RecurringError) -> Row? {
        let tree: JSONTree
        do throws(RecordReader.Failure) {
            tree = try await records.response(Self.path(isPlan: isPlan, id)).tree
        } catch {
            let error = RecurringError(error)
            if case .refused(404, _) = error { return nil }
            throw error
        }
        guard let row = Row(tree) else { throw .malformed("the response cannot be understood") }
        guard row.id == id else { throw .malformed("the response is about another one") }
        return row
    }

    /// The amount of the plan of a subscription that an operation makes; nil if it cannot be read.
    func planAmount(of operation: PaymentOperation) async -> Int64? {
        guard operation.request.path.hasSuffix(Self.subscriptionsSuffix) else { return nil }
        let path = String(operation.request.path.dropLast(Self.subscriptionsSuffix.count))
        do throws(RecordReader.Failure) {
            return Self.amount(of: try await records.response(path).tree)
        } catch {
            return nil
        }
    }

    /// What the service shows about the plan or subscription that an operation made, or that a person names for it.
    func named(_ id: String, for operation: PaymentOperation) async -> NamedPayment {
        let rules = RecurringRail(isPlan: operation.rail == .plan)
        do throws(RecurringError) {
            guard let row = try await row(isPlan: rules.isPlan, id) else { return .missing }
            if let difference = rules.difference(of: row, from: operation) { return .differs(difference) }
            // One that is not active takes no money: recorded as made, it would stand in the way of one that does.
            guard row.isActive else {
                return .differs(
                    PaymentDifference(shown: "a state that is not active", recorded: "an active \(rules.noun)"))
            }
            return .matches()
        } catch {
            return .unchecked(reason: error.reason)
        }
    }

    /// Changes one row, or ends it without a body. Repeating it does no harm.
    ///
    /// - Returns: nil if the service accepted it, which does not show that it did it; otherwise why it may have.
    package func change(_ path: String, _ body: String?) async throws(RecurringError) -> String? {
        let content = body.map { HTTPRequestBody(bytes: Array($0.utf8)) }
        let request = ServiceRequest(
            body == nil ? .delete : .put, client.hosts.api + path, body: content, additions: Self.headers(merchantID),
            movesMoney: true)
        switch await client.exchange(request) {
        case .answer(200...299, _, _): return nil
        case .answer(let status, let body, _):
            guard (400...499).contains(status), ![408, 409, 425].contains(status),
                let refusal = RecurringError(refusal: status, body)
            else { return "the service answered \(status)" }
            throw refusal
        case .notCarriedOut(let error): throw .unsent(error, PaymentLookup.reason(for: error))
        case .lost(let reason): return reason
        }
    }
}

/// What went wrong with a plan or a subscription.
package enum RecurringError: Error, Sendable {
    /// The service could not be asked.
    case unreadable(String)
    /// The response proves nothing, or not all.
    case malformed(String)
    /// Refused in Clover's own form, with this status.
    case refused(Int, String)
    /// Nothing was sent, for this reason.
    case unsent(any Error, String)
    /// There is one already; nothing was made.
    case exists(noun: String, id: String)
    /// There is an active one of the plan that does not show its customer; nothing was made.
    case unattributed(noun: String, id: String)
    /// An earlier request for the same is open; nothing was made.
    case open(noun: String, id: String)
    /// A change that may have been carried out; `done` is what it does, such as `cancelled`.
    case lost(noun: String, id: String, done: String, String)

    /// A refusal in Clover's own form; nil for anything else.
    init?(refusal status: Int, _ body: [UInt8]) {
        guard ServiceErrorForm.matches(status: status, body) else { return nil }
        self = .refused(status, ServiceErrorBody(body).text ?? "the service answered \(status)")
    }

    init(_ failure: RecordReader.Failure) {
        self =
            switch failure {
            case .answered(let status, let body): Self(refusal: status, body) ?? .unreadable(failure.reason)
            case .unsent(let error): .unsent(error, failure.reason)
            case .lost(let reason): .unreadable(reason)
            case .malformed(let reason): .malformed(reason)
            }
    }

    package var reason: String {
        switch self {
        case .unreadable(let reason), .malformed(let reason), .refused(_, let reason), .unsent(_, let reason),
            .lost(_, _, _, let reason):
            reason
        case .exists(let noun, let id): "there is the \(noun) \(id)"
        case .unattributed(let noun, let id): "the \(noun) \(id) does not show its customer"
        case .open(_, let id): "\(id) is open"
        }
    }
}

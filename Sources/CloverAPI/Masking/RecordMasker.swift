package import CloverHTTP
package import CloverJSON
import Synchronization

/// Masks sensitive fields of records: PINs, bank and card numbers, tokens and secrets, at any depth. Fields are found
/// by the catalogue's model of the record, and elsewhere by name. Secrets of the run itself are masked wherever they
/// occur.
///
/// A string or number becomes `"[masked]"`: all sensitive fields of the models are strings, and null would mean no
/// value. Objects and arrays keep their shape and are masked value by value. Booleans, nulls, empty strings and all
/// other bytes stay unchanged.
package final class RecordMasker: Sendable {
    /// A record that may hold sensitive fields and that cannot be parsed to find them.
    package struct Unreadable: Error, Sendable, Equatable {
        package let id: String?
        /// The offset in the record where parsing failed.
        package let offset: Int
    }

    package struct Report: Sendable, Equatable {
        package fileprivate(set) var records = 0
        /// Model and field, such as `employees.Employee.pin`, or the field name alone if the model is unknown.
        package fileprivate(set) var fields: Set<String> = []
    }

    /// The report's name for a token or secret of the run itself.
    package static let ownSecret = "a secret of this run"

    private static let mark = "[masked]"

    private let rule: MaskRules.Rule
    private let secrets: SecretMask
    private let showsFields: Bool
    private let state = Mutex((rules: MaskRules(), report: Report()))

    /// - Parameters:
    ///   - endpoint: the source of the records; nil for a path that is not in the catalogue.
    ///   - isEnvelope: true if a list arrives as one record, `{"elements":[...]}`.
    ///   - secrets: masked wherever they occur.
    ///   - showsFields: masks only `secrets`.
    package convenience init(
        _ endpoint: Endpoint?, isEnvelope: Bool, secrets: SecretMask = SecretMask(), showsFields: Bool = false
    ) {
        // If the catalogue has no response model for a write, assume that it is the record that was sent.
        let record = Self.rule(ofModel: endpoint?.model ?? endpoint?.body)
        self.init(
            isEnvelope && endpoint?.shape == .list ? .entries(record) : record, secrets: secrets,
            showsFields: showsFields)
    }

    /// Masks request bodies.
    ///
    /// - Parameter endpoint: the target of the request; nil for a path that is not in the catalogue.
    package convenience init(bodiesOf endpoint: Endpoint?, secrets: SecretMask, showsFields: Bool) {
        self.init(Self.rule(ofModel: endpoint?.body ?? endpoint?.model), secrets: secrets, showsFields: showsFields)
    }

    private init(_ rule: MaskRules.Rule, secrets: SecretMask, showsFields: Bool) {
        self.rule = rule
        self.secrets = secrets
        self.showsFields = showsFields
    }

    private static func rule(ofModel name: String?) -> MaskRules.Rule {
        BodyModel(name).root.map(MaskRules.rule) ?? .unknown
    }

    package var report: Report { state.withLock(\.report) }

    package func masked(_ batch: RecordBatch) throws(Unreadable) -> RecordBatch {
        let isClean = batch.bytes.withUnsafeBytes { bytes in
            (showsFields || !SensitiveNames.all.mayOccur(in: bytes)) && secrets.ranges(in: bytes).isEmpty
        }
        if isClean { return batch }
        var result = RecordBatch()
        result.bytes.reserveCapacity(batch.bytes.count)
        result.records.reserveCapacity(batch.records.count)
        for record in batch.records {
            let fault = batch.bytes.withUnsafeBytes { bytes -> JSONScanner.Fault? in
                let record = UnsafeRawBufferPointer(rebasing: bytes[record.range])
                do throws(JSONScanner.Fault) {
                    try append(record, to: &result)
                    return nil
                } catch {
                    return error
                }
            }
            if let fault { throw Unreadable(id: batch.id(of: record), offset: fault.position) }
        }
        return result
    }

    private func append(_ record: UnsafeRawBufferPointer, to result: inout RecordBatch) throws(JSONScanner.Fault) {
        let own = secrets.ranges(in: record)
        let values = try sensitiveValues(of: record)
        guard !own.isEmpty || !values.ranges.isEmpty else {
            result.append(record)
            return
        }
        state.withLock { state in
            state.report.records += 1
            state.report.fields.formUnion(values.labels)
            if own.contains(where: { secret in !values.ranges.contains { $0.contains(secret.lowerBound) } }) {
                state.report.fields.insert(Self.ownSecret)
            }
        }
        let whole = Set(values.ranges)
        let masked = SecretRanges.replaced(SecretRanges.joined(values.ranges + own), in: record) { range in
            whole.contains(range) ? Array("\"\(Self.mark)\"".utf8) : Self.replacement(of: record[range])
        }
        masked.withUnsafeBytes { result.append($0) }
    }

    private func sensitiveValues(
        of record: UnsafeRawBufferPointer
    ) throws(JSONScanner.Fault) -> (ranges: [Range<Int>], labels: Set<String>) {
        guard !showsFields, SensitiveNames.all.mayOccur(in: record) else { return ([], []) }
        var walk = FieldMasker(record: record)
        let fault = state.withLock { state -> JSONScanner.Fault? in
            do throws(JSONScanner.Fault) {
                try walk.run(rule, rules: &state.rules)
                return nil
            } catch {
                return error
            }
        }
        if let fault { throw fault }
        return (walk.found, walk.labels)
    }

    /// The replacement for a secret. A secret that may be part of a number is replaced by digits, so JSON stays valid.
    private static func replacement(of secret: Slice<UnsafeRawBufferPointer>) -> [UInt8] {
        secret.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || "+-.eE".utf8.contains($0) }
            ? [UInt8](repeating: UInt8(ascii: "9"), count: secret.count) : Array(mark.utf8)
    }
}

/// What to mask, by model; each model is loaded from the catalogue when a record first contains it.
struct MaskRules: Sendable {
    indirect enum Rule: Sendable {
        /// Unknown: decide by name.
        case unknown
        /// An object of the model of this name.
        case model(String)
        /// A list, as `{"elements":[...]}` or a plain array.
        case entries(Rule)
        /// An object with arbitrary member names, of which some are masked.
        case values(Rule, masked: Set<String> = [], label: String = "")
        /// Masked; `label` names the field to the user, such as `employees.Employee.pin`.
        case sensitive(label: String)
        /// Masked if it looks like a card number or card token, also within: a charge's source has the token as its `id`.
        case card(label: String)
    }

    private var models: [String: [String: Rule]] = [:]

    mutating func rule(for name: String, in rule: Rule) -> Rule {
        switch rule {
        case .model(let model):
            if let known = fields(of: model)[name] { return known }
            return Self.isCard(model) ? Self.member(name, ofCard: model) : Self.byName(name)
        case .entries where name == "elements": return rule
        case .values(let inner, let masked, let label):
            return masked.contains(name) ? .sensitive(label: "\(label).\(name)") : inner
        case .sensitive: return rule
        case .card(let label): return Self.member(name, ofCard: label)
        case .unknown, .entries: return Self.byName(name)
        }
    }

    func ruleForEntry(of rule: Rule) -> Rule {
        if case .entries(let inner) = rule { return inner }
        return rule
    }

    private static func byName(_ name: String) -> Rule {
        switch SensitiveNames.all.verdict(of: name) {
        case .harmless: .unknown
        case .sensitive: .sensitive(label: name)
        case .card: .card(label: name)
        }
    }

    /// What is masked in a card: its number, its token, its holder and its expiry.
    private static func member(_ name: String, ofCard card: String) -> Rule {
        let label = "\(card).\(name)"
        if SensitiveNames.isCardFact(name) { return .sensitive(label: label) }
        return tokenNames.contains(name) ? .card(label: label) : byName(name)
    }

    /// The members in which a card has its token, or a list its cards. Others may be numbers that look like a card's.
    private static let tokenNames: Set<String> = ["id", "data", "elements"]

    /// The models of cards (recorded: a charge; documented: cards on file, vaulted cards).
    private static let cardModels: Set<String> = [
        "ecomm.Source", "customers.Card", "payments.VaultedCard", "pay.PaymentRequestCardDetails", "base.CardData",
    ]

    static func isCard(_ model: String) -> Bool { cardModels.contains(model) }

    private mutating func fields(of model: String) -> [String: Rule] {
        if let known = models[model] { return known }
        var rules: [String: Rule] = [:]
        for field in ModelCatalogue.model(named: model)?.fields ?? [] {
            let label = "\(model).\(field.name)"
            rules[field.name] = field.isSensitive ? .sensitive(label: label) : Self.rule(for: field.type)
            // A list of sources has tokens, or cards (Clover: create a card-on-file customer).
            if label == "ecomm.SourceList.data" { rules[field.name] = .card(label: label) }
            // A card's expiry is masked as in the vaulted card (recorded: payments with a card).
            if label == "payments.CardTransaction.extra" {
                rules[field.name] = .values(.unknown, masked: ["exp"], label: label)
            }
            guard case .unknown? = rules[field.name] else { continue }
            if Self.isCard(model) {
                rules[field.name] = Self.member(field.name, ofCard: model)
            } else if SensitiveNames.isCard(field.name) {
                rules[field.name] = .card(label: label)
            }
        }
        models[model] = rules
        return rules
    }

    static func rule(for type: FieldType) -> Rule {
        switch type {
        case .list(let inner), .sequence(let inner): .entries(rule(for: inner))
        case .map(let inner): .values(rule(for: inner))
        case .model(let name): .model(name)
        case .string, .boolean, .double, .integer, .timestamp, .any, .object, .array, .enumeration: .unknown
        }
    }
}

/// Scans one record and finds the values to mask.
struct FieldMasker {
    typealias Rule = MaskRules.Rule

    private let record: UnsafeRawBufferPointer
    private var scanner: JSONScanner
    /// The ranges of the values to mask, in order.
    private(set) var found: [Range<Int>] = []
    /// The labels of the masked fields, as shown to the user.
    private(set) var labels: Set<String> = []

    init(record: UnsafeRawBufferPointer) {
        self.record = record
        scanner = JSONScanner(bytes: record)
    }

    mutating func run(_ rule: Rule, rules: inout MaskRules) throws(JSONScanner.Fault) {
        try value(rule, &rules)
        try scanner.end()
    }

    private mutating func value(_ rule: Rule, _ rules: inout MaskRules) throws(JSONScanner.Fault) {
        let kind = try scanner.kind()
        let start = scanner.position
        switch kind {
        case .object:
            try scanner.open(.object)
            while let name = try scanner.nextName() {
                let inner = rules.rule(for: scanner.decoded(name), in: rule)
                try value(inner, &rules)
            }
        case .array:
            try scanner.open(.array)
            let inner = rules.ruleForEntry(of: rule)
            while try scanner.nextEntry() { try value(inner, &rules) }
        case .string:
            let text = try scanner.string()
            if !text.range.isEmpty { mask(start, rule) }
        case .integer, .number:
            try scanner.skipScalar()
            mask(start, rule)
        // A boolean such as `hasPassword` is not a secret.
        case .null, .boolean: try scanner.skipScalar()
        }
    }

    /// The prefix of card tokens (Clover: ecommerce API, tokens).
    private static let cardToken = Array("\"clv_".utf8)

    private mutating func mask(_ start: Int, _ rule: Rule) {
        switch rule {
        case .sensitive(let label):
            found.append(start..<scanner.position)
            labels.insert(label)
        case .card(let label): maskCard(start, label)
        // A token may stand for the card.
        case .model(let model) where MaskRules.isCard(model): maskCard(start, model)
        case .unknown, .model, .entries, .values: break
        }
    }

    private mutating func maskCard(_ start: Int, _ label: String) {
        let value = record[start..<scanner.position]
        guard CardNumber.isLikely(value) || value.starts(with: Self.cardToken) else { return }
        found.append(start..<scanner.position)
        labels.insert(label)
    }
}

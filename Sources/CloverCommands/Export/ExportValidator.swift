import CloverAPI
import CloverAuth
import CloverCalendar
import CloverCore
import CloverExport
import CloverJSON
import CloverOutput

/// Checks an export's options without sending a request or creating a file.
struct ExportValidator: Sendable {
    let request: ExportRequest
    /// Nil when not signed in yet.
    let merchantID: String?
    let environment: CommandEnvironment

    /// Checks an export that runs later: a named profile must exist, but no sign-in is needed.
    static func run(_ request: ExportRequest, in environment: CommandEnvironment) async throws {
        let names = try names(of: request)
        var merchantID: String?
        if request.hasManyMerchants {
            for name in request.profiles ?? [] {
                let key = try await ConnectionChoice(profile: name).key(in: environment)
                merchantID = merchantID ?? key?.merchantID
            }
        } else if let credential = try await request.connection.staticCredential(in: environment) {
            merchantID = credential.key.merchantID
        } else {
            merchantID = try await request.connection.key(in: environment)?.merchantID
        }
        let plans = try await ExportValidator(
            request: request, merchantID: merchantID, environment: environment
        ).plans()
        // The second run would use the first one's name.
        if !request.appends, !names.distinguishesWindows, plans.contains(where: { $0.tracking.field != nil }) {
            throw ExportError.name(.missing("{window}"), template: names.text)
        }
    }

    /// Checks everything and returns the plans of the resources.
    func plans() async throws -> [ResourcePlan] {
        let plans = try request.resources.map {
            try ResourcePlan($0, request, of: merchantID ?? Self.anyMerchant)
        }
        try checkParts(plans)
        try checkFields(plans)
        let zone = try request.namedZone
        for plan in plans {
            try checkRange(plan, zone)
            try checkOutput(plan)
        }
        try await checkProgram()
        return plans
    }

    /// The template of file names. Files of different resources or merchants need different names.
    static func names(of request: ExportRequest) throws(ExportError) -> NameTemplate {
        var names = try request.usualNames(besideCurrent: request.keepsCurrent)
        if let template = request.nameTemplate {
            names = try NameTemplate(parsing: template)
            if request.keepsCurrent { names = names.with(current: request.currentNames) }
        }
        guard request.destination.keepsFiles else { return names }
        if request.hasManyMerchants, !names.has(.merchant), !names.has(.profile) {
            // A growing file takes the records of all merchants if each record names its merchant.
            guard request.appends, request.tagsMerchant else {
                throw .name(.missing("{merchant}"), template: names.text)
            }
        }
        if request.resources.count + request.parts.count > 1, !names.has(.resource) {
            throw .name(.missing("{resource}"), template: names.text)
        }
        return names
    }

    /// Stands in a path for a merchant that is not known yet.
    private static let anyMerchant = "-"

    /// Each part has to belong to one of the resources.
    private func checkParts(_ plans: [ResourcePlan]) throws(ExportError) {
        for name in request.parts
        where plans.allSatisfy({
            ExportPart(name, of: $0.path, expand: request.expand, tracking: $0.tracking) == nil
        }) {
            throw .unknownPart(
                name, resources: plans.map(\.name), known: Set(plans.flatMap { ExportPart.names(of: $0.path) }).sorted()
            )
        }
    }

    /// Each field must be in the model of its resource, or of each of those that have no fields of their own. This is an
    /// error, not a warning, because a scheduled run's warning about an empty column would go unread.
    private func checkFields(_ plans: [ResourcePlan]) throws(ExportError) {
        let guides = plans.map {
            (name: $0.name, FieldValidator($0.path, model: $0.path.endpoint?.model, expand: $0.expand))
        }
        let parts = plans.flatMap { plan in
            plan.parts.map { (name: plan.name(of: $0), FieldValidator(plan.path, model: $0.model, expand: [])) }
        }
        for name in request.fields.keys.sorted() {
            guard let guide = (guides + parts).first(where: { $0.name == name }) else {
                throw .unknownFieldOwner(name, known: (guides + parts).map(\.name))
            }
            try check(request.fields[name] ?? [], [guide])
        }
        let others = guides.filter { request.fields[$0.name] == nil }
        // If each resource has its own, these are not used.
        if !others.isEmpty { try check(request.format.fields, others) }
    }

    private func check(
        _ fields: [FieldPath], _ guides: [(name: String, guide: FieldValidator)]
    ) throws(ExportError) {
        for field in fields {
            if request.tagsMerchant, field.names.first == "merchant" { continue }
            let unknown = guides.compactMap { name, guide in
                ExportPart.isParent(field, of: name) ? nil : guide.unknown(field).map { (name: name, near: $0) }
            }
            guard !unknown.isEmpty else { continue }
            throw .unknownField(field.text, resources: unknown.map(\.name), suggestions: unknown.flatMap(\.near))
        }
    }

    private func checkRange(_ plan: ResourcePlan, _ zone: TimeZoneRules?) throws {
        let now = environment.clock.wall()
        if case .day(let text) = request.range.selection {
            guard plan.dayField != nil else { throw ExportError.noDays(resource: plan.name) }
            let days = try BusinessDays(parsing: text, start: request.range.dayStart, now: now, zone: zone ?? .utc)
            // In the merchant's own time zone, the days are checked when the zone is known.
            if let zone, days.bounds(in: zone).from >= now {
                throw ExportError.futureDay(text, from: days.bounds(in: zone).from)
            }
            return
        }
        let times = request.range.times(now: now, zone: zone)
        try times.check(plan)
        let finish = try times.finish
        guard let start = try times.start else { return }
        // In the merchant's own time zone, the times are compared when the zone is known.
        guard zone != nil || !request.range.needsZone else { return }
        guard start < finish else { throw ExportError.emptyRange(from: start, to: finish) }
        let names = try Self.names(of: request)
        if finish - start > times.windowLength, request.destination.keepsFiles, !request.appends,
            !names.distinguishesWindows
        {
            throw ExportError.name(.missing("{window}"), template: names.text)
        }
    }

    /// The environment of output that does not go to a terminal.
    private var fileEnvironment: CommandEnvironment {
        var environment = environment
        environment.terminal.isOutputTerminal = false
        return environment
    }

    private func checkOutput(_ plan: ResourcePlan) throws {
        let fields = request.of(plan).format
        _ = try RecordPrinting(program: request.program, format: fields, isJSON: true)
            .plan(.of(plan.path.endpoint, expand: request.expand), in: fileEnvironment)
        try FieldValidator(plan.path, model: plan.path.endpoint?.model, expand: plan.expand).check(
            fields.fields)
    }

    /// Compiles the jq program to find its errors.
    private func checkProgram() async throws {
        guard let program = request.program else { return }
        let environment = fileEnvironment
        let printing = RecordPrinting(program: program, isJSON: true, compilesFirst: true)
        let filter = try await printing.makeFilter(
            printing.plan(.unknown, in: environment), .unknown, nil, merchantID: merchantID ?? Self.anyMerchant,
            in: environment)
        _ = try await filter.finish()
    }
}

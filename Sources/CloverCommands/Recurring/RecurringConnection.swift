import ArgumentParser
import CloverAPI
import CloverAuth
import CloverCore
import CloverJSON
import CloverOutput
import CloverPayments
import CloverSystem

/// A plan or a subscription.
struct RecurringItem {
    let isPlan: Bool
    let id: String

    var noun: String { isPlan ? "plan" : "subscription" }
    var path: String { RecurringList.path(isPlan: isPlan, id) }

    /// An error about a change of it, in words that name it.
    ///
    /// - Parameter done: what the change does, such as `cancelled`.
    func naming(_ error: RecurringError, _ done: String = "changed") -> RecurringError {
        switch error {
        case .refused(404, _): .refused(404, "there is no \(noun) \(id)")
        case .refused(let status, let words): .refused(status, "the \(noun) \(id) was not \(done): \(words)")
        default: error
        }
    }

    /// A refusal of which nothing is known but the response.
    func answered(_ status: Int, _ words: String) -> RecurringError {
        .refused(status, "of the \(noun) \(id), the service answered \(status): \(words)")
    }
}

/// The plans and subscriptions of the signed-in merchant.
struct RecurringConnection {
    let payment: PaymentConnection
    let list: RecurringList

    static func resolve(_ choice: ConnectionChoice, in environment: CommandEnvironment) async throws
        -> RecurringConnection
    {
        let payment = try await PaymentConnection.resolve(choice, waiting: 0, in: environment)
        guard payment.client.hasEcommerce else {
            throw PaymentPlanError.noEcommerce(environment: payment.environmentName)
        }
        return RecurringConnection(
            payment: payment, list: RecurringList(client: payment.client, merchantID: payment.merchantID))
    }

    /// - Throws: `RecurringError.refused` with 404 if there is none.
    func present(_ item: RecurringItem) async throws -> RecurringList.Row {
        guard let row = try await list.row(isPlan: item.isPlan, item.id) else {
            throw item.naming(.refused(404, ""))
        }
        return row
    }

    /// The merchant's currency, for rows that show amounts without one; nil if it is unknown, or if each row shows one.
    func currency(of rows: [RecurringList.Row], in environment: CommandEnvironment) async throws -> String? {
        guard rows.contains(where: { $0.tree["currency"]?.string == nil }) else { return nil }
        do {
            let settings = try await MerchantSettings.read(
                payment.service, merchantID: payment.merchantID, in: environment)
            return settings.defaultCurrency?.uppercased()
        } catch is ServiceError {
            environment.diagnostics.detail("the merchant's currency cannot be read")
            return nil
        }
    }

    /// Changes fields, and sends those of `names` again as they are, because a PUT replaces the whole. Only the row that is
    /// read afterwards shows the change: a response may just repeat the request.
    ///
    /// - Parameter now: milliseconds since 1970.
    /// - Returns: the row as it is now.
    /// - Throws: `RecurringError.lost` if that does not show the change, or shows otherwise what was sent again as it was.
    func change(
        _ item: RecurringItem, _ fields: [String: JSONTree], keeping names: [String], at now: Int64
    ) async throws -> RecurringList.Row {
        let present = try await present(item)
        var body = JSONLine()
        var sent: [(name: String, value: JSONTree)] = []
        if let customer = RecurringList.customer(of: present.tree) { body.add("customerId", customer) }
        for name in names {
            guard let value = fields[name] ?? present.tree[name] else { continue }
            body.add(name, json: value.text)
            sent.append((name, value))
        }
        var reason: String?
        do throws(RecurringError) {
            reason = try await list.change(item.path, body.text)
        } catch {
            throw await refused(item, error, fields, before: present)
        }
        do throws(RecurringError) {
            if let row = try await list.row(isPlan: item.isPlan, item.id) {
                var differences = sent.filter { fields[$0.name] != nil || !RecurringList.compared.contains($0.name) }
                    .compactMap { field in
                        RecurringList.difference(of: row.tree, field.name, from: field.value)
                            .map { "\($0) in place of \(field.name) \(field.value.text)" }
                    }
                // One whose last day is here is no longer active.
                let ending: Set<String> = fields["endDate"] != nil && row.ends(by: now) ? ["active"] : []
                differences += RecurringList.differences(
                    of: row.tree, from: present.tree, besides: ending.union(fields.keys))
                if differences.isEmpty, fields.allSatisfy({ RecurringList.isSame(row.tree[$0.key], $0.value) }) {
                    return row
                }
                // A change that is under way may still come.
                let isUnchanged = names.allSatisfy { row.tree[$0] == present.tree[$0] }
                let shown = (isUnchanged ? ["no change"] : []) + differences
                if !shown.isEmpty {
                    reason = (reason ?? "the service accepted it") + ", and it shows " + shown.joined(separator: ", ")
                }
            }
            reason = reason ?? "the service accepted it, and does not show it"
        } catch {
            reason = reason ?? "the service accepted it, and it cannot be read again"
        }
        throw RecurringError.lost(noun: item.noun, id: item.id, done: "changed", reason ?? "")
    }

    /// What is known after a change was refused.
    private func refused(
        _ item: RecurringItem, _ refusal: RecurringError, _ fields: [String: JSONTree], before: RecurringList.Row
    ) async -> RecurringError {
        await rereading(item, after: refusal) { status, words, row in
            guard let row else { return status == 404 ? item.naming(refusal) : item.answered(status, words) }
            let isChanged = fields.contains { name, value in
                RecurringList.isSame(row.tree[name], value) && !RecurringList.isSame(before.tree[name], value)
            }
            guard isChanged else { return .refused(status, "the \(item.noun) \(item.id) was not changed: \(words)") }
            return .lost(
                noun: item.noun, id: item.id, done: "changed",
                "the service refused it (\(status)), and the change is shown nevertheless: \(words)")
        }
    }

    /// What is known after the end of a row was refused.
    ///
    /// - Parameter done: `cancelled` or `deleted`.
    private func refused(_ item: RecurringItem, _ refusal: RecurringError, _ done: String) async -> RecurringError {
        await rereading(item, after: refusal) { status, words, row in
            switch (status, row) {
            case (404, nil): return item.naming(refusal)
            case (404, let row?) where !row.isActive:
                return .refused(404, "there is no active \(item.noun) \(item.id): it is shown as ended already")
            case (404, let row?):
                return .lost(
                    noun: item.noun, id: item.id, done: done,
                    "the service answered that there is none (404), and \(Self.activity(of: row))")
            case (_, let row?) where row.isActive: return item.naming(refusal, done)
            default:
                return .lost(
                    noun: item.noun, id: item.id, done: done,
                    "the service refused it (\(status): \(words)), and does not show it as active")
            }
        }
    }

    /// Reads the row again, because a refusal may be the repeated response to another request.
    ///
    /// - Parameter judge: what the refusal means, by its status and words, and the row as it is now.
    private func rereading(
        _ item: RecurringItem, after refusal: RecurringError,
        _ judge: (_ status: Int, _ words: String, RecurringList.Row?) -> RecurringError
    ) async -> RecurringError {
        guard case .refused(let status, let words) = refusal else { return refusal }
        do throws(RecurringError) {
            return judge(status, words, try await list.row(isPlan: item.isPlan, item.id))
        } catch {
            return item.answered(status, words)
        }
    }

    /// What a row that is not known to have ended shows, as a clause.
    private static func activity(of row: RecurringList.Row) -> String {
        row.tree["active"]?.bool == true ? "shows it as active" : "does not show whether it is active"
    }

    /// Ends a subscription, or deletes a plan. After a lost response it is read, and ended again if it is still there.
    ///
    /// - Parameter done: `cancelled` or `deleted`.
    func end(_ item: RecurringItem, _ done: String) async throws {
        var reason = ""
        for attempt in 0..<2 {
            let lost: String?
            do throws(RecurringError) {
                lost = try await list.change(item.path, nil)
            } catch {
                if attempt == 0 { throw await refused(item, error, done) }
                // Of a repetition, only that it is not there any more says something about the first one.
                guard case .refused(404, _) = error else { break }
                lost = "the service answered that there is none (404)"
            }
            do throws(RecurringError) {
                guard let row = try await list.row(isPlan: item.isPlan, item.id), row.isActive else { return }
                reason = (lost ?? "the service accepted it") + ", and \(Self.activity(of: row))"
            } catch {
                reason = lost ?? "the service accepted it, and it cannot be read again"
            }
        }
        throw RecurringError.lost(noun: item.noun, id: item.id, done: done, reason)
    }
}

/// The options of commands that make a plan or a subscription.
struct RecurringOptions: ParsableArguments {
    @Flag(name: .long, help: "Make it although there is one like it.")
    var another = false

    @OptionGroup
    var operation: OperationOptions

    /// Makes it, and prints its events.
    func create(
        _ body: some Encodable & Sendable, in currency: Currency?, plan: String?, name: String,
        _ choice: ConnectionChoice,
        _ messages: MessageOptions, in environment: CommandEnvironment
    ) async throws -> Int32 {
        let maximumTime = try operation.limits.seconds(await environment.settings(for: choice))
        let run = ChargeRun(isJSON: messages.json, maximumTime: maximumTime, in: environment)
        let recurring = try await RecurringConnection.resolve(choice, in: environment)
        let payment = recurring.payment
        let planned = try RecurringCreation.operation(
            body, plan: plan, name: name, key: operation.idempotencyKey, environment: payment.environmentName,
            merchantID: payment.merchantID, now: environment.clock.wall())
        if operation.isDryRun {
            try await OperationOptions.preview(planned, payment, messages, in: environment)
            return ExitStatus.done.rawValue
        }
        if let currency { try await payment.checkCurrency(currency, in: environment) }
        let journal = try await environment.chargeJournal()
        let made = try await run.run(journal, payment) { [another] runner in
            try await RecurringCreation(runner: runner, merchantID: planned.merchantID)
                .perform(planned, isAnother: another)
        }
        try run.finish(made)
        var amount = made.outcome.planAmount
        if let plan {
            do throws(RecurringError) {
                let row = try await recurring.list.row(isPlan: true, plan)
                amount = amount ?? row.flatMap { RecurringList.amount(of: $0.tree) }
                if row?.isActive == false {
                    environment.diagnostics.warning("the plan \(plan) of the subscription is shown as not active")
                }
            } catch {
                environment.diagnostics.detail("the plan cannot be read, and not be compared: \(error.reason)")
            }
        }
        // As the event has it, which does not know the plan's amount if the response does not show it.
        let difference = made.difference(fromPlanOf: made.outcome.planAmount) ?? made.difference(fromPlanOf: amount)
        if let difference { environment.diagnostics.warning(difference) }
        return ExitStatus.done.rawValue
    }
}

extension ErrorReport {
    init(_ error: RecurringError) {
        switch error {
        case .unreadable(let reason):
            self.init(
                .unavailable, "unreadable", "plans and subscriptions cannot be read: \(reason)", "run it again later")
        case .malformed(let reason):
            self.init(
                .nonsense, "unreadable", "plans and subscriptions cannot be read: \(reason)", "run it again later")
        case .refused(let http, let words):
            let status: ExitStatus =
                switch http {
                case 401, 403: .notAuthorized
                case 404: .notFound
                default: .usage
                }
            self.init(code: "refused", status: status, message: words, http: http)
        case .unsent(let cause, let reason):
            if case .report(let report) = Self.ending(of: cause) {
                self = report
            } else {
                self.init(.unavailable, "unsent", "nothing was sent: \(reason)")
            }
        case .exists(let noun, let id):
            self.init(
                .usage, "exists", "there is the \(noun) \(id) already; nothing was made",
                "see it: clover \(noun) show \(id)", "to make another: --another")
        case .unattributed(let noun, let id):
            self.init(
                .usage, "exists",
                "the plan has the active \(noun) \(id), which does not show its customer; nothing was made",
                "see it: clover \(noun) show \(id)", "if it is another customer's: --another")
        case .open(let noun, let id):
            self.init(
                .tryAgain, "in_progress",
                "the outcome of an earlier request for the same, \(id), is open; nothing was sent",
                "settle it first: clover charge recover \(id)", Self.byHand(id, noun))
        case .lost(let noun, let id, let done, let reason):
            self.init(
                .outcomeUnknown, "outcome_unknown",
                "outcome unknown: the \(noun) \(id) may have been \(done): \(reason)",
                "see it: clover \(noun) show \(id)")
        }
    }
}

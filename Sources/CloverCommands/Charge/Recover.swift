import ArgumentParser
import CloverAuth
import CloverCore
import CloverPayments
import CloverSystem

extension Charge {
    /// `clover charge recover`.
    struct Recover: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "recover",
            abstract: "Settle charges whose outcome a crash or a lost response left open",
            discussion: """
                Examples:
                  clover charge recover c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z
                  clover charge recover --all
                  */5 * * * * clover charge recover --all --quiet

                Asks Clover by the payment's ID or the charge's external ID, or searches Clover's charges. A capture, \
                refund or similar operation is repeated under its own key for an hour. A new key is never used. If \
                Clover does not show a charge, that proves nothing: the charge stays unknown until Clover shows it, or \
                until you record what the dashboard shows with 'clover charge settle'. A payment that may or may not \
                be the charge is named. A charge that was not sent because its key could not be looked for ends (81) \
                once no charge of the key is shown. Of an approved hold, and of a part that is to be given back, \
                Clover is asked what was captured, refunded or released elsewhere.

                For a reader, the driver that was named for the charge is asked; --driver names another one. Only the \
                driver of the charge can prove that there was no payment, on the machine that made the charge, and only \
                if it keeps a record that outlives it: see clover-reader-driver(5).

                For seven days, --all asks again about outcomes that were entered by hand or that rest on records that \
                showed nothing, and about refunds that were pending: one that failed is named (80). So is a payment from \
                a charge's own card that is still shown after you recorded the charge as not paid. A partial approval \
                that you did not accept is given back, except one that a reader took, and an ecommerce hold: \
                these are kept (79).

                Of a page of 'clover checkout', it says whether it is open, was paid, or has ended: one look for the \
                payment, as 'clover checkout wait' does it. A page that only a webhook reported as paid is confirmed, or \
                what contradicts that is named. For seven days, --all looks again at pages that were seen as paid more \
                than once, or by something else than they asked for, and names them (80) until you settle them; so it \
                does with a page whose payment 'checkout wait' found refunded, voided or gone. It does not look at \
                pages that ended without a sign of a payment, nor at those whose payment the records have shown: \
                'checkout wait' looks again.

                Waits for the service's limits are reported. A wait ends with --max-time or Ctrl-C; what could not be \
                asked about is still unknown.

                You can run it at any time, also several times at once: only one process works on an operation. With \
                --all, operations that another process is working on are skipped. With state, so are those of a process \
                that was killed in the last ten seconds, and open charges of this machine's file are named.

                Exit statuses:
                  0   everything is settled; for one charge, it was approved; for one
                      page, it was paid or is open
                  69  for one page, the orders cannot be read
                  74  standard output cannot be written
                  75  other processes still work on some; everything else is settled
                  76  for one page, the orders cannot be read completely
                  77  for one page, the sign-in was not accepted
                  78  the journal cannot be used, or was removed
                  79  for one charge, a part was approved
                  80  something is still unknown, or contradicts what was entered by hand
                  81  for one charge, nothing moved, or its hold was released elsewhere
                  82  some could not be worked on
                """
        )

        @Argument(help: ArgumentHelp("ID of a charge, or of an operation on it.", valueName: "id"), completion: .asked)
        var identifier: String?

        @Flag(name: .long, help: "Recover everything that is not settled.")
        var all = false

        @Option(
            name: .customLong("settle-after"), parsing: .unconditional,
            help: ArgumentHelp("Has no effect: time alone proves nothing.", valueName: "duration", visibility: .hidden))
        var settleAfter: String?

        @OptionGroup
        var limits: MaxTimeOptions

        @OptionGroup
        var driver: DriverProgramOptions

        @OptionGroup(title: "Connection")
        var connection: ConnectionOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func validate() throws {
            if let identifier, all {
                // A word after an unknown option is parsed as the ID.
                throw ValidationError("choose what to recover: '\(identifier)' or --all, not both")
            }
            guard identifier != nil || all else { throw ValidationError("choose what to recover: an ID, or --all") }
        }

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let drivers = try driver.choice()
            if let settleAfter { _ = try DurationExpression.seconds(settleAfter) }
            let maximumTime = try limits.seconds(await environment.settings(for: connection.choice))
            let bounded = environment.limitingDatabase(toRun: maximumTime)
            guard let journal = try await bounded.existingJournal() else {
                if let identifier { throw PaymentPlanError.unknownOperation(identifier) }
                return ExitStatus.done.rawValue
            }
            let run = ChargeRun(isJSON: messages.json, maximumTime: maximumTime, in: environment)
            if let identifier {
                guard let operation = try await journal.operation(named: identifier) else {
                    let open = try await environment.openChargesInFile()
                    if open > 0 { environment.diagnostics.notice(try State.leftInFile(open, in: environment)) }
                    throw PaymentPlanError.unknownOperation(identifier)
                }
                if operation.rail.makesPage,
                    operation.movedNoMoney || operation.isPaidByWebhookAlone || operation.paymentsOfPage != nil
                        || operation.isContradictedPage || operation.awaitsRefundElsewhere
                        || operation.isSettledPage
                {
                    return try await look(for: operation, run, journal)
                }
                let (settled, void, followUp) =
                    try await recover(operation, waiting: .infinity, run, journal, drivers) ?? (operation, nil, nil)
                if settled.outcome.contradiction != nil { throw ChargeFailure.contradicted(settled) }
                let followUps = settled.isPartial ? try await journal.followUps(of: settled.id) : []
                try run.finish(settled, void: void, after: followUps, contradicted: followUp)
                return ExitStatus.done.rawValue
            }
            var unknown = 0
            var failed = 0
            var skipped = 0
            var byHand: PaymentOperation?
            let directory = try environment.stateDirectory().path
            for id in try await journal.keptOutcomes() {
                guard let before = try await journal.operation(id) else {
                    environment.diagnostics.warning(
                        "this machine keeps the outcome of \(id), and the journal has no such charge: if a backup from before "
                            + "it was restored, look it up at Clover, then remove \(directory)/unrecorded-\(id).json")
                    unknown += 1
                    continue
                }
                // One that another process works on is skipped below.
                guard let lock = try await journal.lock(id) else { continue }
                defer { withExtendedLifetime(lock) {} }
                do {
                    let known = try await journal.settleKept(id, now: environment.clock.wall())
                    if let known, known != before { await run.output.show(.settled(known)) }
                } catch {
                    guard let facts = Self.describe(error) else { throw error }
                    failed += 1
                    environment.diagnostics.failure("\(id): \(facts.message)", code: facts.code, status: facts.status)
                }
            }
            // Charges with a partial approval whose void or refund was settled together with them.
            var reversed: [String: OperationKind] = [:]
            for operation in try await journal.unsettled() {
                try Task.checkCancellation()
                if let parent = operation.parent, reversed[parent] == operation.kind { continue }
                do {
                    guard
                        let (settled, void, _) = try await recover(
                            operation, waiting: 0, run, journal, drivers, isOneOfAll: true)
                    else {
                        skipped += 1
                        continue
                    }
                    if !settled.state.isFinal {
                        unknown += 1
                        if settled.rail.hasReader { byHand = byHand ?? settled }
                    }
                    if void != nil { reversed[settled.id] = settled.reversal?.kind }
                    if let void, void != .approved { unknown += 1 }
                } catch  where !(error is CancellationError) {
                    guard let facts = Self.describe(error) else { throw error }
                    if case ChargeFailure.unrecorded = error { unknown += 1 } else { failed += 1 }
                    environment.diagnostics.failure(
                        "\(operation.id): \(facts.message)", code: facts.code, status: facts.status)
                }
            }
            let pages = try await journal.pagesInDoubt(since: environment.clock.wall() - Recovery.recheckPeriod)
            var (contradicted, reopened) = try await recheckDoubtful(run, journal, drivers)
            for page in try await recheck(pages: pages, run, journal) {
                if page.paymentsOfPage == nil { reopened += 1 } else { contradicted += 1 }
                byHand = byHand ?? page
            }
            let leftInFile = try await environment.openChargesInFile()
            if leftInFile > 0 {
                environment.diagnostics.warning(try State.leftInFile(leftInFile, in: environment))
            }
            unknown += reopened + leftInFile
            if unknown + contradicted + failed > 0 {
                throw ChargeFailure.unsettled(
                    unknown: unknown, contradicted: contradicted, failed: failed, byHand: byHand)
            }
            if skipped > 0 { throw ChargeFailure.skipped(skipped) }
            try run.output.finish()
            return ExitStatus.done.rawValue
        }

        /// Describes the failure of one of several operations; nil for an error that ends the run.
        private static func describe(_ error: any Error) -> FailureDetails? {
            guard case .report(let report) = ErrorReport.ending(of: error) else { return nil }
            return report.facts
        }

        /// Rechecks recent outcomes that were entered by hand or inferred from missing records. They stay settled even if the
        /// service cannot be reached. Pages that an earlier look contradicted are looked at again.
        ///
        /// - Returns: the number of contradicted outcomes, and of those that are unknown again.
        private func recheckDoubtful(
            _ run: ChargeRun, _ journal: ChargeJournal, _ drivers: ReaderDriverChoice
        ) async throws -> (contradicted: Int, reopened: Int) {
            var contradicted = 0
            var reopened = 0
            let now = run.environment.clock.wall()
            for operation in try await journal.doubtful(since: now - Recovery.recheckPeriod, now: now) {
                try Task.checkCancellation()
                var known = operation
                var contradiction: String?
                do {
                    if operation.isPaidByWebhookAlone || operation.isContradictedPage || operation.isSettledPage {
                        (known, contradiction) = try await recheck(page: operation, run, journal)
                        if known != operation { await run.output.show(.settled(known)) }
                    } else if operation.outcome.isByHand == true || operation.outcome.contradiction == nil {
                        // An outcome that a response already contradicts needs no further request.
                        let payment = try await PaymentConnection.resolve(
                            for: operation, connection.choice, in: run.environment)
                        known =
                            try await run.run(journal, payment, drivers: drivers) { runner in
                                try await Recovery(runner: runner).recheck(operation.id)
                            } ?? operation
                    }
                } catch  where !(error is CancellationError) {
                    guard let facts = Self.describe(error) else { throw error }
                    let end =
                        operation.isPendingRefund
                        ? "as pending" : operation.outcome.isByHand == true ? "by hand" : "without a payment"
                    let words =
                        operation.isContradictedPage
                        ? ": looking again failed" : " was settled \(end), and checking it failed"
                    run.environment.diagnostics.warning("\(operation.id)\(words): \(facts.message)")
                    if operation.isContradictedPage {
                        contradiction = "found before: \(operation.outcome.contradiction ?? "")"
                    }
                }
                if !known.state.isFinal { reopened += 1 }
                if let contradiction = contradiction ?? known.outcome.contradiction {
                    // Of an entry that stays as it is, only the payment that is still shown is named.
                    let isOpen =
                        known.outcome.isByHand == true && known.state != .approved
                        && operation.outcome.contradiction == nil && !operation.rail.makesPage
                    if isOpen { reopened += 1 } else { contradicted += 1 }
                    // A new contradiction was already shown when it was found.
                    if known == operation { await run.output.show(.settled(known)) }
                    run.environment.diagnostics.warning("\(operation.id): \(contradiction)")
                }
            }
            return (contradicted, reopened)
        }

        /// Looks once for the payment of a page, as what a person entered can be contradicted, too. Of a page that has ended,
        /// none is no proof.
        private func look(
            for page: PaymentOperation, _ run: ChargeRun, _ journal: ChargeJournal
        ) async throws -> Int32 {
            let watch = try await watch(page, run, journal)
            do {
                let paid = try await watch.paid(page)
                await run.output.show(.settled(paid))
                if paid.outcome.contradiction != nil { throw ChargeFailure.contradicted(paid) }
                try run.finish(paid)
            } catch let error as CheckoutError {
                guard let verdict = error.verdict else { throw error }
                await run.output.show(.settled(try await journal.operation(page.id) ?? page))
                guard verdict.isOpen else { throw error }
                run.environment.diagnostics.notice(
                    "it is not paid as far as was seen: clover checkout wait \(page.id)")
                try run.output.finish()
            }
            return ExitStatus.done.rawValue
        }

        private func watch(
            _ page: PaymentOperation, _ run: ChargeRun, _ journal: ChargeJournal
        ) async throws -> CheckoutWatch {
            let payment = try await PaymentConnection.resolve(for: page, connection.choice, in: run.environment)
            return CheckoutWatch(
                journal: journal, payments: CheckoutPayments(client: payment.client), environment: run.environment,
                interval: 1, linger: 0, maximumTime: nil, isOnce: true)
        }

        /// Looks again for the payment of a page that a webhook alone or a person reported as paid or not paid.
        ///
        /// - Returns: the page as it is known then, and what contradicts it; nil if nothing does.
        private func recheck(
            page: PaymentOperation, _ run: ChargeRun, _ journal: ChargeJournal
        ) async throws -> (known: PaymentOperation, contradiction: String?) {
            let watch = try await watch(page, run, journal)
            var contradiction: String?
            do {
                _ = try await watch.paid(page)
            } catch let error as CheckoutError {
                guard let verdict = error.verdict else { throw error }
                if case .unseen = verdict.finding {
                    contradiction = page.outcome.contradiction.map {
                        "the merchant's records do not show it now; found before: \($0)"
                    }
                } else {
                    contradiction = ErrorReport(error).message
                }
            }
            let known = try await journal.operation(page.id) ?? page
            if known == page { try await journal.recordRecheck(page.id, now: run.environment.clock.wall()) }
            return (known, contradiction ?? known.outcome.contradiction)
        }

        /// Looks again at pages that an earlier look found to need a person.
        ///
        /// - Returns: those that still do, which are named.
        private func recheck(
            pages: [PaymentOperation], _ run: ChargeRun, _ journal: ChargeJournal
        ) async throws -> [PaymentOperation] {
            var open: [PaymentOperation] = []
            for page in pages {
                try Task.checkCancellation()
                var words = page.outcome.reason ?? ""
                var isOpen = false
                do {
                    let paid = try await watch(page, run, journal).paid(page)
                    if paid != page { await run.output.show(.settled(paid)) }
                    continue
                } catch  where !(error is CancellationError) {
                    guard let facts = Self.describe(error) else { throw error }
                    if let verdict = (error as? CheckoutError)?.verdict {
                        var isUnseen = false
                        if case .unseen = verdict.finding { isUnseen = true }
                        isOpen = verdict.isOpen
                        let seen = words.contains(verdict.reason) ? words : "\(verdict.reason); found before: \(words)"
                        words = isUnseen ? seen : facts.message
                    } else {
                        words = "looking again failed: \(facts.message); found before: \(words)"
                    }
                }
                let known = try await journal.operation(page.id) ?? page
                // What was found before is over, and the page can be paid.
                if isOpen, known.outcome.candidates == nil { continue }
                open.append(known)
                await run.output.show(.settled(known))
                run.environment.diagnostics.warning("\(page.id): \(words)")
            }
            return open
        }

        /// - Parameter isOneOfAll: whether follow-ups that a person recorded are asked about by themselves.
        /// - Returns: nil if it was skipped; `void` is the state of the void of a partial approval that was not allowed, and
        ///   `contradicted` a follow-up that a person recorded as carried out, and that Clover contradicts.
        private func recover(
            _ operation: PaymentOperation, waiting seconds: Double, _ run: ChargeRun, _ journal: ChargeJournal,
            _ drivers: ReaderDriverChoice, isOneOfAll: Bool = false
        ) async throws -> (settled: PaymentOperation, void: OperationState?, contradicted: PaymentOperation?)? {
            let payment = try await PaymentConnection.resolve(for: operation, connection.choice, in: run.environment)
            return try await run.run(journal, payment, drivers: drivers) { runner in
                let recovery = Recovery(runner: runner)
                guard
                    let settled = try await recovery.recover(operation.id, waiting: seconds, looksElsewhere: true)
                else { return nil }
                let void = try await recovery.reversePartialApproval(settled)
                return (settled, void, isOneOfAll ? nil : try await recovery.contradictedFollowUp(of: settled.id))
            }
        }
    }
}

import ArgumentParser
import CloverAuth
import CloverCore
import CloverPayments

extension Charge {
    /// `clover charge settle`.
    struct Settle: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "settle",
            abstract: "Record the outcome of a charge by hand",
            // The usage that ArgumentParser generates looks as if both flags were needed.
            usage: "clover charge settle <id> (--paid [--payment <id> [--amount <amount>]] | --not-paid) [<options>]",
            discussion: """
                Examples:
                  clover charge settle c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z --paid
                  clover charge settle c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z --not-paid --by Anna
                  clover charge settle c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z --paid \\
                    --payment 9XK3T7B2N5PWA

                Run 'clover charge recover' first: it asks Clover, or the reader's driver. If the outcome stays \
                unknown, as with a reader whose driver keeps no record, look at the reader, its receipts or the \
                merchant's dashboard, and record here what they show. Only the journal changes: nothing is charged. \
                The journal keeps who recorded the outcome, and when; see 'clover charge show'.

                With --payment, Clover is asked about the payment of a charge or refund. A smaller amount is recorded as a \
                partial approval, if the payment has the charge's external ID or 'recover' named it. If Clover shows \
                another amount, currency or reference, an earlier day, or a mere hold for a sale, or has no such \
                payment, nothing is recorded; nor is a payment that was voided, nor --not-paid for a page with \
                payments that took money, of whichever amount. If the payment of a charge or page is of another amount and is its \
                payment, confirm that with --amount and the amount that Clover shows. --paid for a page without --payment \
                accepts all its payments that are known, and records their sum: nothing, and the page as voided, held or unknown, if \
                none of them took money. They are the page's from then on. If Clover cannot be asked, as without a network, \
                your word counts, and a warning says that the payment was not checked. Without --payment, nothing is \
                sent. A plan or subscription needs --payment with its ID, and is always looked up.

                An outcome confirmed by a response is final; one entered by hand can be changed. If the journal has the \
                same outcome already, nothing changes, and standard error says who recorded it, and when. For seven days, \
                'recover --all' asks again about an outcome entered by hand. If a response contradicts it, 'recover' and the \
                same key name it, of an operation also those of its charge, and exit with 80 each time until you correct \
                the outcome here, or confirm it by the same command. If the payment was made after all, the journal has it from then on; a payment that \
                is found nowhere stays in the journal until you correct it. A part that was approved, and that you did not accept with the charge, is accepted \
                with --paid, and not given back any more; one that was given back already is refused.

                Exit statuses:
                  0   recorded, now or before
                  64  another outcome is confirmed, the payment is another one or was voided,
                      the part was given back, or wrong usage
                  66  no such charge
                  75  another process is working on it
                """
        )

        @Argument(help: ArgumentHelp("ID of a charge, or of an operation on it.", valueName: "id"), completion: .asked)
        var identifier: String

        @Flag(help: ArgumentHelp("What the reader or the dashboard shows."))
        var ending: Ending

        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp("ID of the payment at Clover, with --paid.", valueName: "id"))
        var payment: String?

        @OptionGroup(title: "How much, if Clover shows another amount")
        var amount: AmountOptions

        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp("Who records it (default: the account's name).", valueName: "name"))
        var by: String?

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        enum Ending: String, EnumerableFlag {
            case paid
            case notPaid

            static func name(for value: Ending) -> NameSpecification { .long }

            static func help(for value: Ending) -> ArgumentHelp? {
                switch value {
                case .paid: "It was carried out: the money moved."
                case .notPaid: "It was not carried out: no money moved."
                }
            }
        }

        /// The characters of Clover's ids.
        private static let idCharacters = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

        func validate() throws {
            try IdentifierOption.check(by, "--by", isOwn: true)
            if let argument = amount.argument, payment == nil {
                throw ValidationError("\(argument.option) goes with --payment: Clover is asked for the amount")
            }
            guard let payment else { return }
            if ending == .notPaid { throw ValidationError("--payment goes with --paid: there is no payment otherwise") }
            try IdentifierOption.check(payment, "--payment")
            guard payment.utf8.allSatisfy({ Self.idCharacters.contains($0) }) else {
                throw ValidationError("--payment takes the id of a payment")
            }
        }

        /// Maximum length of a person's name, in characters.
        private static let longestName = 64

        /// Records the outcome and prints it. The service is asked only about a payment that is named for a charge or
        /// refund; if it cannot be asked, the payment is still recorded, with a warning.
        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let person = by ?? AccountName.current()
            guard !person.isEmpty, person.count <= Self.longestName,
                person.unicodeScalars.allSatisfy({ $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) })
            else { throw PaymentPlanError.malformedPerson }
            guard let journal = try await environment.existingJournal(),
                let known = try await journal.operation(identifier)
            else { throw PaymentPlanError.unknownOperation(identifier) }
            if known.rail.isHandedOff { throw PaymentPlanError.handedOff(id: identifier) }
            guard let lock = try await journal.lock(identifier) else {
                throw PaymentPlanError.inUseByProcess(id: identifier)
            }
            defer { withExtendedLifetime(lock) {} }
            // Read again under the lock: another process may have settled it meanwhile.
            let operation = try await journal.operation(identifier) ?? known
            if ending == .paid, operation.rail.isRecurring, payment ?? operation.outcome.paymentID == nil {
                throw PaymentPlanError.itemUnnamed(id: identifier, noun: operation.rail.noun)
            }
            let confirmed = try confirmedAmount(of: operation)
            var recorded = confirmed
            var elsewhere: DoneElsewhere?
            var shown: PageFact?
            if ending == .paid, let payment,
                try await journal.wouldRecord(payment: payment, amount: confirmed, of: identifier)
            {
                (recorded, elsewhere, shown) = try await check(
                    payment, confirmed, of: operation, journal, in: environment)
            }
            let isDone = ending == .paid
            let settled = try await journal.settleByHand(
                identifier, isDone: isDone, by: person, payment: payment, amount: recorded, elsewhere: elsewhere,
                shown: shown, now: environment.clock.wall())
            if settled == operation {
                environment.diagnostics.notice(
                    "nothing was changed: \(identifier) is recorded as \(Self.words(for: operation))")
            }
            if operation.outcome.isByHand == true, operation.state.isFinal, (operation.state == .approved) != isDone {
                let person = operation.outcome.settledBy.map { " by \($0)" } ?? ""
                environment.diagnostics.warning(
                    "\(identifier) was recorded as \(isDone ? "not paid" : "paid")\(person) at "
                        + "\(InstantText.utc(milliseconds: operation.updatedAt)); it is now recorded as "
                        + (isDone ? "paid" : "not paid"))
            }
            if isDone {
                try await warn(about: settled, isNew: settled != operation, elsewhere == nil, journal, in: environment)
            }
            if isDone, settled != operation, let seen = settled.outcome.page {
                environment.diagnostics.warning(
                    seen == .givenBack
                        ? "all that was paid for the page \(identifier) was given back since"
                        : "no payment that is known took money for the page \(identifier): it is recorded as "
                            + "\(seen.rawValue), with nothing captured")
            }
            if !isDone, operation.rail.makesPage, let held = operation.outcome.shown?.filter({ $0.state == .held }),
                !held.isEmpty
            {
                let ids = held.map(\.payment).joined(separator: ", ")
                environment.diagnostics.warning(
                    "a payment of the page is only held so far, and may be taken yet: \(ids)")
            }
            let now = environment.clock.wall()
            if !isDone, operation.rail.makesPage, operation.outcome.session != nil, settled != operation,
                now < operation.expiry
            {
                environment.diagnostics.warning(
                    "the page can still be paid until \(InstantText.utc(milliseconds: operation.expiry)): a payment that comes "
                        + "late is named by 'clover charge recover \(identifier)'")
            }
            let output = ChargeOutput(isJSON: messages.json, isQuiet: false, in: environment)
            await output.show(.settled(settled))
            try output.finish()
            return ExitStatus.done.rawValue
        }

        /// Warns about a charge of which nothing is kept, and about what was done with the payment that it had before, which
        /// does not count for the charge any more.
        ///
        /// - Parameter isUnnamed: whether no warning says so far what was given back.
        private func warn(
            about charge: PaymentOperation, isNew: Bool, _ isUnnamed: Bool, _ journal: ChargeJournal,
            in environment: CommandEnvironment
        ) async throws {
            guard charge.kind == .charge, charge.rail.isCharge else { return }
            let followUps = try await journal.followUps(of: charge.id)
            let totals = ChargeTotals(charge, followUps)
            if isUnnamed, totals.isGivenBack {
                environment.diagnostics.warning(
                    "\(charge.id) was \(totals.isVoided ? "voided" : "refunded in full") since: nothing of it is kept")
            }
            guard isNew else { return }
            for followUp in followUps
            where followUp.kind.movesMoney && (followUp.state == .approved || followUp.mayBeCarriedOut) {
                guard let payment = followUp.formerPayment(of: charge) else { continue }
                let amount = followUp.amountText.map { " of \($0)" } ?? ""
                let end = followUp.state == .approved ? "was carried out" : "may have been carried out"
                environment.diagnostics.warning(
                    "\(followUp.id), a \(followUp.kind.rawValue)\(amount), \(end) on the payment \(payment), which this charge "
                        + "had before: it does not count for the charge any more; see what became of that payment")
            }
        }

        /// The amount of the payment that the person confirms, in the smallest unit; nil if none was given.
        private func confirmedAmount(of operation: PaymentOperation) throws -> Int64? {
            guard let argument = amount.argument else { return nil }
            guard operation.kind == .charge, operation.rail.isCharge || operation.rail.makesPage,
                let currency = operation.amount?.currency
            else {
                throw PaymentPlanError.amountNotConfirmed(id: operation.id)
            }
            let money = try argument.money(in: currency)
            guard operation.rail.amountRange.contains(money.minorUnits) else {
                throw PaymentPlanError.amountOutOfRange(money, operation.rail)
            }
            return money.minorUnits
        }

        /// What the journal has of a settled operation already: its state, who recorded it, and when.
        private static func words(for operation: PaymentOperation) -> String {
            let outcome = operation.outcome
            let state =
                outcome.isByHand == true
                ? (operation.state == .approved ? "paid" : "not paid") : operation.state.rawValue
            let time = InstantText.utc(milliseconds: operation.updatedAt)
            guard outcome.isByHand == true else {
                let person = outcome.settledBy.map { "; \($0) recorded an outcome by hand" } ?? ""
                return "\(state) already, by the program at \(time)\(person)"
            }
            return "\(state) already,\(outcome.settledBy.map { " by \($0)" } ?? "") at \(time)"
        }

        /// Refuses a payment that the service shows to be another one. If it shows nothing, the person's word counts.
        ///
        /// - Parameter confirmed: the amount that the person confirms; nil for that of the charge.
        /// - Returns: the amount that it shows, where that may differ from what was asked for, what was done with it
        ///   elsewhere, and what is shown of the payment of a page.
        private func check(
            _ payment: String, _ confirmed: Int64?, of operation: PaymentOperation, _ journal: ChargeJournal,
            in environment: CommandEnvironment
        ) async throws -> (amount: Int64?, elsewhere: DoneElsewhere?, shown: PageFact?) {
            let followUps = try await journal.followUps(of: operation.id)
            let (found, shown) = try await look(
                payment, confirmed, for: operation, after: followUps, journal, in: environment)
            switch found {
            case .matches(let amount): return (amount, nil, shown)
            case .givenBack(let state, let amount, let elsewhere):
                environment.diagnostics.warning(
                    "Clover shows the payment \(payment) as \(state) since")
                return (amount, elsewhere, shown)
            case .differs(let difference):
                throw PaymentPlanError.paymentDiffers(id: operation.id, payment: payment, difference)
            case .unpaid(let state):
                throw PaymentPlanError.paymentUnpaid(id: operation.id, payment: payment, state: state)
            case .missing: throw PaymentPlanError.paymentMissing(id: operation.id, payment: payment)
            case .unchecked(let reason) where operation.rail.isRecurring:
                throw PaymentPlanError.itemUnchecked(id: operation.id, noun: operation.rail.noun, reason: reason)
            case .unchecked(let reason):
                environment.diagnostics.warning("the payment \(payment) was not checked: \(reason)")
            }
            return (confirmed, nil, nil)
        }

        private func look(
            _ payment: String, _ confirmed: Int64?, for operation: PaymentOperation,
            after followUps: [PaymentOperation], _ journal: ChargeJournal, in environment: CommandEnvironment
        ) async throws -> (NamedPayment, PageFact?) {
            let connection: PaymentConnection
            do {
                connection = try await PaymentConnection.resolve(
                    for: operation, ConnectionChoice(), isBrief: true, in: environment)
            } catch  where !(error is CancellationError) {
                return (.unchecked(reason: Self.reason(for: error)), nil)
            }
            let found = await NamedPayment.look(
                payment, for: operation, amount: confirmed, after: followUps, connection.client,
                now: environment.clock.wall())
            var shown: PageFact?
            if operation.rail.makesPage {
                // It may be in the order of another page, which was not looked at so far.
                switch try await CheckoutPayments(client: connection.client).read(
                    operation, naming: [payment], in: journal)
                {
                case .read(let records):
                    if let place = records.elsewhere[payment] {
                        throw PaymentPlanError.paymentOfAnother(id: operation.id, payment: payment, other: place.page)
                    }
                    shown = records.fact(of: payment)
                case .unread(let obstacle):
                    environment.diagnostics.warning(
                        "whether the payment \(payment) is in the order of another page was not checked: \(obstacle.reason)"
                    )
                case .unasked: break
                }
            }
            // A look that was interrupted proves nothing, and what was interrupted records nothing.
            try Task.checkCancellation()
            if let difference = shown?.differenceInCurrency(from: operation) { return (.differs(difference), nil) }
            return (found, shown)
        }

        /// Why there is no connection, as a clause.
        private static func reason(for error: any Error) -> String {
            switch error {
            case CoreError.notSignedIn, CoreError.profileNotSignedIn, CoreError.severalCredentials:
                "there is no sign-in to the merchant of the charge"
            case PaymentPlanError.otherMerchant: "the sign-in is to another merchant"
            default: "the service could not be asked"
            }
        }
    }
}

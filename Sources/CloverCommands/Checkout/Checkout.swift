import ArgumentParser
import CloverAPI
import CloverAuth
import CloverCallback
import CloverCore
import CloverJSON
import CloverOutput
import CloverPayments
import CloverSystem
import CloverWebhooks

/// `clover checkout`.
struct Checkout: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "checkout",
        abstract: "Let customers pay on a page of Clover (Hosted Checkout)",
        discussion: """
            Examples:
              clover checkout create --item Tea=4.25 --currency USD
              clover checkout list --state open
              clover checkout wait h_01JD3V8Q6W2M4K7P9R5T0X1Y2Z

            A page is open for 15 minutes. Only a signed webhook, or the payment in the merchant's orders, shows that it \
            was paid: that the customer was led to your page for success proves nothing. 'clover reconcile' does not compare \
            pages: to see whether a payment was voided or refunded since, run 'clover checkout wait' again.
            """,
        subcommands: [CreateCheckout.self, ListCheckouts.self, WaitForCheckout.self]
    )
}

extension Checkout {
    /// `clover checkout create`.
    struct CreateCheckout: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "create",
            abstract: "Make a page on which a customer can pay",
            discussion: """
                Examples:
                  clover checkout create --item Tea=4.25 --currency USD
                  clover checkout create --item 'Tea=4.25*2' --tax VAT=8.25% --currency USD
                  clover checkout create --item Tea=4.25 --currency USD --idempotency-key 17

                Events are JSON lines: created, sent, then open with the address of the page (url), or failed. \
                --quiet prints only the last one, whichever it is. expiresAt is by Clover's clock; where that differs from this \
                machine's, expiresHereAt is the same by this one. --qr draws the address as a QR code on the terminal, and --open opens it \
                here.

                The page is in the journal before it is requested. The same key gives the same page, and never a second \
                one that can be paid: if a response is lost, no one has the address, and the next run with the key makes \
                another page. When a page has ended, its key is used up.

                A reference of twelve characters is put at the end of the note of each item, by which 'clover checkout \
                wait' finds the order. Needs a private key for Hosted Checkout, or a sign-in of an app.

                Exit statuses:
                  0   the page is open
                  64  wrong usage, or the service refused what was sent; also a key whose
                      page has ended, shows a payment or a webhook of one, or was
                      settled by hand
                  66  the service does not know what was asked for (404), such as --page
                  69  not reached, or the address was lost, so that no one can pay
                  73  no room for the journal
                  74  standard output cannot be written
                  77  not signed in, or not allowed
                  78  the journal cannot be used
                  81  stopped before it was sent
                  83  --max-time ran out before it was sent
                """
        )

        @Option(
            name: .customLong("item"), parsing: .unconditionalSingleValue,
            help: ArgumentHelp(
                "Item with the price of one in major units, and how many: Tea=4.25, or 'Tea=4.25*2'.",
                valueName: "name=price"))
        var items: [String] = []

        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp("Currency code of the prices, such as USD.", valueName: "code"))
        var currency: String

        @Option(
            name: .customLong("tax"), parsing: .unconditionalSingleValue,
            help: ArgumentHelp("Tax on all items, on top of their prices: 'Sales tax=8.25%'.", valueName: "name=rate"))
        var taxes: [String] = []

        @Option(name: .long, help: ArgumentHelp("Note on each item.", valueName: "text"))
        var note: String?

        @Option(
            name: .customLong("success-url"), parsing: .unconditional,
            help: ArgumentHelp("Where the page leads after a payment; not a proof of one.", valueName: "url"))
        var success: String?

        @Option(
            name: .customLong("failure-url"), parsing: .unconditional,
            help: ArgumentHelp("Where the page leads after a failure.", valueName: "url"))
        var failure: String?

        @Option(name: .long, help: ArgumentHelp("ID of the merchant's page settings.", valueName: "id"))
        var page: String?

        @Option(
            name: .customLong("first-name"), parsing: .unconditional,
            help: ArgumentHelp("First name of the customer.", valueName: "name"))
        var firstName: String?

        @Option(
            name: .customLong("last-name"), parsing: .unconditional,
            help: ArgumentHelp("Last name of the customer.", valueName: "name"))
        var lastName: String?

        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp("Email address of the customer.", valueName: "address"))
        var email: String?

        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp("Phone number of the customer.", valueName: "number"))
        var phone: String?

        @Flag(name: .long, help: "Draw the address as a QR code on the terminal.")
        var qr = false

        @Flag(name: .long, help: "Open the page in a browser on this machine.")
        var open = false

        @OptionGroup(title: "Safety")
        var operation: OperationOptions

        @OptionGroup(title: "Connection")
        var connection: ConnectionOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func validate() throws {
            if items.isEmpty { throw ValidationError("a page needs an item: --item Tea=4.25") }
            for (address, option) in [(success, "--success-url"), (failure, "--failure-url")] {
                guard let address else { continue }
                guard address.hasPrefix("https://"), !address.contains(where: \.isWhitespace) else {
                    throw ValidationError("\(option) takes an https address")
                }
            }
        }

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let currency = try AmountArgument.currency(currency)
            let plan = try plan(currency)
            // Nothing is requested that cannot be shown.
            if qr { try draw("https://www.clover.com/", in: environment) }
            let maximumTime = try operation.limits.seconds(await environment.settings(for: connection.choice))
            let run = ChargeRun(isJSON: messages.json, maximumTime: maximumTime, in: environment)
            let payment = try await PaymentConnection.resolve(connection.choice, waiting: 0, in: environment)
            let planned = try plan.operation(
                currency: currency, environment: payment.environmentName, merchantID: payment.merchantID,
                now: environment.clock.wall())
            if operation.isDryRun {
                try await OperationOptions.preview(planned, payment, messages, in: environment)
                return ExitStatus.done.rawValue
            }
            try await payment.checkCurrency(currency, in: environment)
            let journal = try await environment.chargeJournal()
            // Before anything is printed: a page that has ended is no page to pay on.
            if let earlier = try await journal.operation(key: planned.idempotencyKey), earlier.asksForSame(as: planned)
            {
                try await refuse(ended: earlier, in: environment)
            }
            let checkout = try await run.run(journal, payment) { runner in
                try await runner.performOnce(planned)
            }
            try run.finish(checkout)
            guard let address = checkout.outcome.session?.address else { return ExitStatus.done.rawValue }
            if qr { try await draw(address, in: environment).draw(in: environment) }
            if open {
                do throws(BrowserError) {
                    _ = try environment.openBrowser(address)
                } catch {
                    environment.diagnostics.warning("the page was not opened here: \(error)")
                }
            }
            return ExitStatus.done.rawValue
        }

        /// Refuses a page that cannot be paid again, by the journal or by what webhooks say.
        private func refuse(ended page: PaymentOperation, in environment: CommandEnvironment) async throws {
            let now = environment.clock.wall()
            var evidence = PageEvidence(page: page, now: now)
            evidence.reports = try await environment.pageReports(of: page)
            let verdict = PageVerdict(evidence)
            if let payments = page.paymentsOfPage {
                let reason = page.outcome.reason ?? "paid more than once: \(payments.joined(separator: ", "))"
                throw CheckoutError.found(
                    id: page.id, PageVerdict(.several(payments), page.checkoutState(now: now) ?? .unknown, reason))
            }
            // Under a key whose page was not made, another one can be.
            let isReported = page.outcome.session != nil && page.state == .approved && !verdict.isOpen
            if isReported || page.cannotBePaidAgain(now: now) { throw CheckoutError.expired(id: page.id) }
        }

        @discardableResult
        private func draw(_ address: String, in environment: CommandEnvironment) throws -> TerminalQRCode {
            do throws(TerminalQRCode.Obstacle) {
                return try TerminalQRCode(address, in: environment)
            } catch {
                throw SquareError.notDrawn(error)
            }
        }

        private func plan(_ currency: Currency) throws -> CheckoutPlan {
            var plan = CheckoutPlan()
            plan.items = try items.map { try Self.item($0, currency) }
            plan.taxes = try taxes.map(Self.tax)
            plan.note = note
            plan.firstName = firstName
            plan.lastName = lastName
            plan.email = email
            plan.phone = phone
            plan.successAddress = success
            plan.failureAddress = failure
            plan.page = page
            plan.idempotencyKey = operation.idempotencyKey
            return plan
        }

        private static func item(_ text: String, _ currency: Currency) throws -> CheckoutPlan.Item {
            guard let mark = text.lastIndex(of: "="), mark != text.startIndex else {
                throw ValidationError("--item takes a name and a price: Tea=4.25")
            }
            let parts = text[text.index(after: mark)...].split(separator: "*", omittingEmptySubsequences: false)
            guard parts.count <= 2, let quantity = parts.count == 2 ? Int(parts[1]) : 1, (1...9999).contains(quantity)
            else { throw ValidationError("--item takes how many from 1 to 9999 after the price: 'Tea=4.25*2'") }
            let price = try AmountArgument(text: String(parts[0]), option: "--item", isMinor: false)
                .money(in: currency)
            return CheckoutPlan.Item(name: String(text[..<mark]), price: price.minorUnits, quantity: quantity)
        }

        /// Rates are percent times 100,000 (Clover: tax rates).
        private static func tax(_ text: String) throws -> CheckoutPlan.Tax {
            guard let match = text.wholeMatch(of: #/(.+)=([0-9]{1,3})(?:\.([0-9]{1,5}))?%/#),
                let whole = Int64(match.2), whole <= 100
            else { throw ValidationError("--tax takes a name and a rate in percent: 'Sales tax=8.25%'") }
            let digits = String(match.3 ?? "")
            let part = Int64(digits + String(repeating: "0", count: 5 - digits.count)) ?? 0
            return CheckoutPlan.Tax(name: String(match.1), rate: whole * 100_000 + part)
        }
    }

    /// `clover checkout wait`.
    struct WaitForCheckout: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "wait",
            abstract: "Wait until a page was paid, or has ended",
            discussion: """
                Examples:
                  clover checkout wait h_01JD3V8Q6W2M4K7P9R5T0X1Y2Z
                  clover checkout wait h_01JD3V8Q6W2M4K7P9R5T0X1Y2Z --max-time 5m
                  clover checkout wait h_01JD3V8Q6W2M4K7P9R5T0X1Y2Z --json | jq -r .payment

                Prints one JSON object when the page was paid: paid, with the payment; or what was found (80). Two things \
                show that it was paid: a webhook of \
                Hosted Checkout that 'clover webhook listen' received with a valid signature, in the same state directory, \
                and a payment in the merchant's orders since then whose items have the page's reference in their notes. \
                The payment's amount and currency have to be those of the page with its taxes. If only the webhook shows \
                the payment, a notice and the reason say so, and 'clover charge recover' looks at it again; if the payment that it names \
                took no money, or its message states another amount, the page is not paid (80).

                A declined card is reported, and the customer can try again. A page that has ended, and that nothing shows \
                as paid, is unknown (80): a webhook or a record may come late. Run it again later.

                Exit statuses:
                  0   paid
                  64  wrong usage
                  66  no such page in the journal
                  69  the orders cannot be read
                  76  they cannot be read completely
                  77  the sign-in was not accepted
                  78  the journal cannot be used
                  80  it has ended, and whether it was paid is unknown; or it was paid
                      twice, in parts, or with another amount or currency; or what is
                      shown was not known when it was settled by hand
                  81  recorded by hand as not paid, or with payments of which no money
                      is kept, and nothing shows otherwise
                  83  --max-time ran out; the page is still open
                """
        )

        @Argument(help: ArgumentHelp("ID of the page's operation, or of its session.", valueName: "id"))
        var identifier: String

        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp("Time between two looks at the orders (default: 5s).", valueName: "duration"))
        var interval: String?

        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp("How long to go on after the page has ended (default: 1m).", valueName: "duration"))
        var linger: String?

        @OptionGroup
        var limits: MaxTimeOptions

        @OptionGroup(title: "Connection")
        var connection: ConnectionOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let interval = try interval.map { try NamedDuration.seconds($0, "--interval") } ?? 5
            let linger = try linger.map { try NamedDuration.seconds($0, "--linger") } ?? 60
            let maximumTime = try limits.seconds(await environment.settings(for: connection.choice))
            guard let journal = try await environment.existingJournal(),
                let checkout = try await journal.checkout(identifier)
            else { throw CheckoutError.missing(identifier) }
            let payment = try await PaymentConnection.resolve(for: checkout, connection.choice, in: environment)
            let watch = CheckoutWatch(
                journal: journal, payments: CheckoutPayments(client: payment.client), environment: environment,
                interval: interval, linger: linger, maximumTime: maximumTime)
            let page: PaymentOperation
            do {
                page = try await watch.paid(checkout)
                try await show(page, in: environment)
            } catch let error as CheckoutError where error.verdict != nil {
                // What was found is in the journal by now.
                try await show(try await journal.operation(checkout.id) ?? checkout, in: environment)
                throw error
            }
            if page.outcome.contradiction != nil { throw ChargeFailure.contradicted(page) }
            if page.state != .approved { throw ChargeFailure.refused(page) }
            if page.outcome.page != nil {
                throw CheckoutError.nothingKept(id: page.id, reason: page.outcome.reason ?? "")
            }
            return ExitStatus.done.rawValue
        }

        /// Prints a page as it is known now. A person may have settled one that was given back.
        private func show(_ page: PaymentOperation, in environment: CommandEnvironment) async throws {
            let now = environment.clock.wall()
            if environment.terminal.isOutputTerminal, !messages.json {
                try await StandardOutput.print(OperationText.line(.settled(page), now: now) + "\n", in: environment)
            } else {
                var line = OperationJSON.event(.settled(page), page.word(now: now) ?? page.state.rawValue)
                line.add("idempotencyKey", page.idempotencyKey)
                try await environment.standardOutput.write(Array((line.text + "\n").utf8))
            }
        }
    }
}

extension ErrorReport {
    init(_ error: CheckoutError) {
        switch error {
        case .missing(let id):
            self.init(.notFound, "not_found", "the journal has no checkout \(id)", "see 'clover checkout create'")
        case .expired(let id):
            self.init(
                .usage, "checkout_ended", "the page of this key has ended, shows a payment, or was settled by hand",
                "was it paid? clover checkout wait \(id)", "for another page, use another key")
        case .stillOpen(let id, let seconds):
            self.init(
                .timeRanOut, "time_ran_out",
                "--max-time \(Self.shortened(seconds)) ran out, and the page is not paid as far as was seen",
                "go on waiting: clover checkout wait \(id)")
        case .found(let id, let verdict): self.init(verdict, of: id)
        case .nothingKept(let id, let reason):
            self.init(
                .declined, "nothing_kept", "no money that was paid for the page \(id) is kept: \(reason)",
                "to look again: clover charge recover \(id)")
        }
    }

    /// What was found of a page that is not simply paid.
    private init(_ verdict: PageVerdict, of id: String) {
        let reason = verdict.reason
        let again = "a record may come late; look again: clover checkout wait \(id) --linger 1s"
        let settle = "record what the dashboard shows: clover charge settle \(id) --paid, or --not-paid"
        switch verdict.finding {
        case .unread(let obstacle):
            let hint = obstacle.kind == .signInRefused ? "see 'clover auth status'" : "run it again later"
            switch obstacle.kind {
            case .unreadable: self.init(.unavailable, "unreadable", reason, hint)
            case .signInRefused: self.init(.notAuthorized, "not_signed_in", reason, hint)
            case .malformed: self.init(.nonsense, "unreadable", reason, hint)
            }
        case .unseen: self.init(.outcomeUnknown, "outcome_unknown", "outcome unknown: \(reason)", again)
        case .several:
            self.init(
                .outcomeUnknown, "paid_twice", "the page \(id) was \(reason)",
                "look at them in the merchant's dashboard; what is too much can be refunded there",
                "if together they are what you expect: clover charge settle \(id) --paid")
        case .notShown:
            self.init(
                .outcomeUnknown, "outcome_unknown",
                "outcome unknown: of the page \(id), the merchant's records do not show now what was found before: \(reason)",
                again, settle)
        case .overdue:
            self.init(
                .outcomeUnknown, "unconfirmed_payment",
                "the page \(id) is recorded as paid by a signed webhook alone, and \(reason)",
                "a record may come late; look again: clover charge recover \(id)", settle)
        case .other(let payment):
            let free = verdict.owner(of: payment).map {
                "; if it is not that of \($0), free it: clover charge settle \($0) --not-paid"
            }
            self.init(
                .outcomeUnknown, "other_payment",
                "the payment \(payment) is not taken as paid for the page \(id): \(reason)",
                "look at it: clover get payments/\(payment)",
                "record what you find: clover charge settle \(id) --paid (--payment names another payment), or --not-paid"
                    + (free ?? "")
            )
        // No failure.
        case .paid, .reported, .asRecorded: self.init(.outcomeUnknown, "outcome_unknown", reason, again)
        }
    }
}

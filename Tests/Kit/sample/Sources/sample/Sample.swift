import CloverKit
import CloverKitPayments
import CloverKitReaders
import Foundation

/// The samples of the other SDKs' documentation, and a report: `sample NAME TOKEN MERCHANT ADDRESS [ARGUMENT]`; without a token,
/// for the shop that is signed in to.
@main
enum Sample {
    static func main() async throws {
        let words = CommandLine.arguments
        let shop =
            if words.count >= 5 {
                try Shop(token: words[2], merchantID: words[3], environment: words[4])
            } else {
                try await Shop()
            }
        do {
            switch words.dropFirst().first {
            case "orders": try await largeOrders(shop)
            case "order": try await order(shop)
            case "employees": try await employees(shop)
            case "chain": try await chain(shop)
            case "tips": try await tips(shop)
            case "reader": try await reader(shop, driver: words.last ?? "")
            case "charge": try await charge(shop, cardToken: words.last ?? "")
            case "debug": try await debug(token: words[2], merchant: words[3], environment: words[4])
            case "sign-in": try await signIn(environment: words[4], app: words.last ?? "")
            case "square": try square(callback: words.last ?? "")
            default:
                print("samples: orders, order, employees, chain, tips, reader, charge, debug, sign-in, square")
            }
        } catch let error as CloverError {
            print("\(error.status ?? 0) - \(error.message)")
            throw error
        }
    }

    /// Large orders, newest first.
    static func largeOrders(_ shop: Shop) async throws {
        for try await order in shop.orders.filter(\.total >= 5000).expand(\.lineItems).sort(\.createdTime, .descending)
        {
            let lines = order.lineItems?.count ?? 0
            print(order.id?.text ?? "", order.total?.minorUnits ?? 0, order.createdTime?.milliseconds ?? 0, lines)
        }
    }

    /// The short example: `getMerchantOrder(withId: "####", expands: ["lineItems"])`.
    static func order(_ shop: Shop) async throws {
        guard let id = try await shop.orders.limit(1).all().first?.id else { return }
        let order = try await shop.order(id, expand: [\.lineItems])
        print(id, order.lineItems?.count ?? 0)
    }

    /// The full example: `getMerchantEmployees` with filters, expansions, sorts, limit and offset.
    static func employees(_ shop: Shop) async throws {
        let admins = shop.employees.filter(\.role == "ADMIN").expand(\.shifts).sort(\.name).limit(50).offset(0)
        for try await employee in admins { print(employee.name ?? "") }
    }

    /// The chained example: the orders of an employee, then the employee of the first.
    static func chain(_ shop: Shop) async throws {
        guard let employee = try await shop.employees.limit(1).all().first?.id else { return }
        let orders = try await shop.orders.filter(\.employee.id == employee).expand(\.lineItems).expand(\.customers)
            .all()
        guard let first = orders.first?.employee?.id else { return }
        print(orders.count, try await shop.employee(first).name ?? "")
    }

    /// The tips of this and the last year by employee: the id, and the amount in minor units.
    static func tips(_ shop: Shop) async throws {
        let report = try await shop.report(.tips, period: "last-year..this-year")
        for row in report.rows {
            if case .text(let employee)? = row["id"] { print(employee, row.money("tips")?.minorUnits ?? 0) }
        }
    }

    /// Connects to a reader, prints its states until it can be used and its battery level, and connects to it again as the last
    /// one.
    static func reader(_ shop: Shop, driver: String) async throws {
        let readers = Readers(for: shop, over: .driver(driver))
        var found: CardReader?
        for try await reader in readers.scan(for: .seconds(60)) {
            found = reader
            break
        }
        let (statuses, batteries) = (readers.status, readers.battery)
        try await readers.connect(found)
        for await status in statuses {
            print(status)
            if status == .ready { break }
        }
        for await percent in batteries {
            guard let percent else { continue }
            print("\(percent) %")
            break
        }
        await readers.disconnect()
        let again = try await readers.connect(nil)
        print(again.name ?? again.id)
        await readers.disconnect()
    }

    /// Charges a card, and asks what became of the charge.
    static func charge(_ shop: Shop, cardToken: String) async throws {
        let charges = Charges(for: shop)
        let charge = try await charges.charge(
            ChargeRequest(
                amount: 1250, currency: "USD", cardToken: cardToken, key: "order-1017", payerAddress: "203.0.113.7"))
        print(charge.id, charge.outcome)
        print(try await charges.recover(key: charge.key)?.outcome ?? .unknown)
    }

    /// Debug output: `CLVSession.debugMode = true`. Limits and retries need no settings.
    static func debug(token: String, merchant: String, environment: String) async throws {
        var options = Shop.Options()
        options.observer = { request in print(request.method, request.status ?? 0) }
        let shop = try Shop(token: token, merchantID: merchant, environment: environment, options: options)
        _ = try await shop.merchant()
    }

    /// `CLVSession.authenticateUser`, and the payment SDK's sign-in with a token callback and a logout. The address that the
    /// browser was sent to is read from standard input.
    static func signIn(environment: String, app: String) async throws {
        let signIn = try SignIn(
            appID: app, redirectURL: "http://127.0.0.1:8085/callback", environment: environment)
        print("Open", signIn.url)
        fflush(nil)
        let shop = try await signIn.finish(redirectedTo: readLine() ?? "")
        print(shop.merchantID, try await shop.isLoggedIn)
        let (changes, heard) = AsyncStream.makeStream(of: TokenChange.self)
        let observation = try await shop.addOnTokenChange { heard.yield($0) }
        try await shop.logout()
        for await change in changes {
            print(change.kind, try await shop.isLoggedIn)
            break
        }
        observation.cancel()
    }

    /// The Register SDK's request, and the response that the Square app sends to the callback URL.
    static func square(callback: String) throws {
        var request = SquareRequest(
            applicationID: "YOUR_APPLICATION_ID", amount: 100, currency: "USD",
            callbackURL: "my-register-sdk-app://myCallback")
        request.clearsDefaultFees = true
        request.state = "Useful information"
        request.notes = "Notes"
        print(try request.handOff(rules: .register21).url)
        let response = try SquareResponse(callbackURL: callback, rules: .register21)
        print(response.outcome, response.transactionID ?? "", response.state ?? "")
    }
}

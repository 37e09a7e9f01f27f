import ArgumentParser
import CloverAPI
import CloverCallback
import CloverCore
import CloverJSON
import CloverSystem

struct Open: CloverCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Print the address of a page of Clover's, and open it if there is a display",
        discussion: """
            Examples:
              clover open
              clover open orders 4F2M8Q0ZC6H1T
              clover open docs webhooks

            WHAT is dashboard (the default), orders, or docs, which a page's path in Clover's documentation can follow: \
            the end of its address (webhooks), or all after docs.clover.com/dev (reference/...). What clover knows of the \
            paths of the API is in 'clover endpoints PATH'. The address is printed to standard output in any case. It \
            is opened with BROWSER or xdg-open on a machine with a display, unless --print is given. Nothing is sent to \
            the service, and the address holds the merchant's ID and no secret.
            """
    )

    enum Page: String, CaseIterable, ExpressibleByArgument {
        case dashboard, orders, docs
    }

    @Argument(help: ArgumentHelp("The page: dashboard, orders or docs.", valueName: "what"))
    var page: Page = .dashboard

    @Argument(help: ArgumentHelp("An order's ID after orders, or a page's path after docs.", valueName: "id|path"))
    var identifier: String?

    @Flag(name: .customLong("print"), help: "Only print the address.")
    var onlyPrints = false

    @OptionGroup(title: "Connection")
    var connection: ConnectionOptions

    @OptionGroup(title: "Messages")
    var messages: MessageOptions

    private static let docs = "https://docs.clover.com/dev"

    func validate() throws {
        if identifier?.isEmpty == true {
            throw ValidationError("'\(page.rawValue)' takes an ID or a path, not an empty text")
        }
        if page == .docs, let identifier, identifier.contains("://"), !identifier.hasPrefix(Self.docs + "/") {
            throw ValidationError("'docs' opens pages below \(Self.docs), not \(identifier)")
        }
        if let identifier, page == .dashboard {
            throw ValidationError("an ID follows 'orders' only, and '\(identifier)' follows '\(page.rawValue)'")
        }
    }

    func run(in environment: CommandEnvironment) async throws -> Int32 {
        let environment = messages.applied(to: environment)
        let address = try await address(in: environment)
        try await StandardOutput.print(
            messages.json ? "{\"url\":\(JSONString.quoted(address))}\n" : address + "\n", in: environment)
        guard !onlyPrints else { return 0 }
        do throws(BrowserError) {
            let opener = try environment.openBrowser(address)
            environment.diagnostics.detail("opening it with \(opener.program)")
        } catch {
            environment.diagnostics.detail("\(error)")
        }
        return 0
    }

    /// Pages of the merchant's dashboard have the merchant's ID after 'm' (Clover: Merchant dashboard; the list of orders is
    /// linked in the reference of orders, field testMode).
    private func address(in environment: CommandEnvironment) async throws -> String {
        if page == .docs {
            let path = (identifier ?? "").trimmingPrefix(Self.docs)
            let words = path.split(separator: "/").map { PercentCoding.encode(String($0)) }
            // Guides are below docs, and the reference is beside them.
            let folder = words.count > 1 ? [] : ["docs"]
            return ([Self.docs] + folder + words).joined(separator: "/")
        }
        let connection = try await Connection.resolve(connection.choice, in: environment)
        let (web, merchant) = (connection.environment.webBaseURL, PercentCoding.encode(connection.merchantID))
        guard page == .orders else { return "\(web)/dashboard/m/\(merchant)" }
        let list = "\(web)/orders/m/\(merchant)/orders"
        return identifier.map { "\(list)/\(PercentCoding.encode($0))" } ?? list
    }
}

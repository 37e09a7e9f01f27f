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
            the end of its address (webhooks), or all after docs.clover.com/dev (reference/...); or a path of the API that \
            begins with /v3, with or without IDs, for its page in the reference, whose address follows from Clover's name \
            of the operation and is not checked. What clover knows of the paths is in 'clover endpoints PATH'. The \
            address is printed to standard output in any case. It is opened with BROWSER or xdg-open on a machine with a \
            display, unless --print is given. Nothing is sent to the service, and the address holds the merchant's ID and \
            no secret.
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
        if page == .docs, let identifier, identifier.split(separator: "/").contains(where: { $0 == ".." || $0 == "." })
        {
            throw ValidationError("'docs' opens pages below \(Self.docs), and takes no '..' or '.': \(identifier)")
        }
        if page == .docs, let identifier, Self.isOfAPI(identifier) {
            if Self.referencePage(of: identifier) == nil {
                throw ValidationError(
                    "the page of '\(identifier)' in Clover's reference is not known; to see what clover knows of the path: "
                        + "clover endpoints '\(identifier)'")
            }
        } else if page == .docs, let identifier, identifier.contains("{") {
            throw ValidationError(
                "'docs' takes a page's path, or one of the API from /v3 on; for what clover knows of it: "
                    + "clover endpoints '\(identifier)'")
        }
        if let identifier, page == .dashboard {
            throw ValidationError("an ID follows 'orders' only, and '\(identifier)' follows '\(page.rawValue)'")
        }
    }

    func run(in environment: CommandEnvironment) async throws -> Int32 {
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
            if let identifier, let name = Self.referencePage(of: identifier) { return "\(Self.docs)/reference/\(name)" }
            let path = (identifier ?? "").trimmingPrefix(Self.docs)
            let words = path.split(separator: "/").map { PercentCoding.encode(String($0)) }
            // Guides are below docs, and the reference is beside them.
            let folder = words.count > 1 ? [] : ["docs"]
            return ([Self.docs] + folder + words).joined(separator: "/")
        }
        let connection = try await Connection.resolve(connection.choice, in: environment)
        let (web, merchant) = (connection.environment.webBaseURL, PercentCoding.encode(connection.merchantID))
        if connection.environment.name.contains("://") {
            environment.diagnostics.notice(
                "\(connection.environment.name) is not one of Clover's own addresses, and may not have this page")
        }
        guard page == .orders else { return "\(web)/dashboard/m/\(merchant)" }
        let list = "\(web)/orders/m/\(merchant)/orders"
        return identifier.map { "\(list)/\(PercentCoding.encode($0))" } ?? list
    }

    private static func isOfAPI(_ path: String) -> Bool { path.hasPrefix("/v3/") || path.hasPrefix("v3/") }

    /// Sections of Clover's reference by the groups of the models that their operations return.
    private static let sections = [
        "inventory": "inventory", "order": "order", "payments": "pay", "customers": "customers",
        "employees": "employee", "cash": "cash", "merchant": "merchant",
    ]

    /// Families of paths in another section than their models.
    private static let familySections = [
        "order_types": "merchant", "system_order_types": "merchant", "tenders": "pay",
    ]

    /// The name of an operation's page in Clover's reference, such as `ordergetorders`; nil if it is not known.
    ///
    /// A name is that of the section and the operation, in lower case (docs.clover.com: Get all orders, Get all payments,
    /// Get merchant properties). Those of refunds end with a number.
    private static func referencePage(of path: String) -> String? {
        let segments = path.split(separator: "/").map { $0 == "{mId}" ? "M" : String($0) }
        guard isOfAPI(path), let endpoint = EndpointCatalogue.endpoint(at: segments),
            let operation = endpoint.operation, endpoint.family != "roles",
            let section = familySections[endpoint.family]
                ?? endpoint.model.flatMap({ sections[String($0.prefix { $0 != "." })] })
        else { return nil }
        return section + operation.lowercased() + (endpoint.family == "refunds" ? "-3" : "")
    }
}

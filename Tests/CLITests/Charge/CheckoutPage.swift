import CloverTestSupport
import Foundation
import Synchronization

/// A service that gives every page the same session, and knows its merchant. What its orders and payments show is for tests to say.
final class CheckoutPage: Sendable {
    private let lastNote = Mutex("")

    /// The note of the last page, which an order of it repeats.
    var note: String { lastNote.withLock(\.self) }

    /// The response; nil to requests for orders and payments.
    func respond(_ request: LoopbackRequest) -> LoopbackResponse? {
        if request.path.hasPrefix("/invoicingcheckoutservice") {
            if let found = request.bodyText.firstMatch(of: /"note":"([^"]+)"/) {
                lastNote.withLock { $0 = String(found.1) }
            }
            let now = Int64(Date().timeIntervalSince1970 * 1000)
            return LoopbackResponse(
                #"{"href":"http://127.0.0.1/pay","checkoutSessionId":"S1","createdTime":\#(now),"#
                    + #""expirationTime":\#(now + 500)}"#)
        }
        if request.path.contains("/payments/") || request.path.contains("/orders") { return nil }
        return LoopbackResponse(#"{"id":"\#(Sandbox.merchantID)","properties":{"defaultCurrency":"USD"}}"#)
    }
}

extension SquareHandOff {
    static let scheme: SquareText = "square-commerce-v1"
    static let dataItem: SquareText = "data"

    /// The URL with the request as JSON in its one item. Keys are sorted, which the app does not ask for; slashes and
    /// everything else are written as Apple's serializer writes them.
    init(ios request: SquareRequest) {
        let data = SquareRequestData(request)
        self.data = data.json
        url =
            "\(Self.scheme)://payment/create?\(Self.dataItem)="
            + PercentEncoding.encoded(self.data.written(slashes: .escaped))
        var notices: [SquareNotice] = []
        if data.callbackURL == nil {
            notices.append(.callbackLeftOut)
        } else if data.callbackURL != request.callbackURL, CallbackMarker.isPresent(in: request.callbackURL.string) {
            notices.append(.callbackMarkedBefore)
        }
        if request.platform == .iosWeb { notices += Self.webNotices(request) }
        if !request.profile.hasCardEntryOptions {
            if request.disableKeyedIn { notices.append(.optionLeftOut(.disableKeyedIn, request.profile)) }
            if request.skipReceipt { notices.append(.optionLeftOut(.skipReceipt, request.profile)) }
        }
        notices += Self.tenderNotices(request)
        if request.tenders.tenders(known: request.profile).isEmpty { notices.append(.noTender) }
        self.notices = notices
    }

    static func webNotices(_ request: SquareRequest) -> [SquareNotice] {
        URLParts(request.callbackURL.string).scheme?.lowercased() == "https" ? [] : [.callbackNotWeb]
    }

    static func tenderNotices(_ request: SquareRequest) -> [SquareNotice] {
        guard request.tenders != .all else { return [] }
        return SquareTender.allCases.filter { request.tenders.contains($0) && !request.profile.tenders.contains($0) }
            .map { .tenderLeftOut($0, request.profile) }
    }
}

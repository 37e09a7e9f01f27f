import HTTPTypes
import HummingbirdCore
import NIOCore

/// Answers every request of a listener.
struct CallbackResponder: Sendable {
    let choice: CallbackChoice
    let desk: CallbackDesk

    @concurrent func respond(to request: HTTPRequest, _ writer: consuming ResponseWriter, on channel: any Channel)
        async throws
    {
        let address = choice.address(port: channel.localAddress?.port ?? 0)
        let purpose = choice.purpose
        switch RequestVerdict.judge(request, at: address) {
        case .callback(let url):
            guard await choice.isExpected(url) else {
                try await writer.write(.unexpected(purpose), to: request)
                return
            }
            guard desk.arrive(url) else {
                choice.onSecond()
                try await writer.write(.alreadyAnswered(purpose), to: request)
                return
            }
            // Whatever becomes of the connection, nobody may go on waiting for it.
            defer { desk.delivered() }
            let page = await desk.page().map(Page.init) ?? .stopped(purpose)
            try await writer.write(page, to: request)
            // The browser closes its end when it has the whole page; `ConnectionHandler` sees to it that this ends.
            try await channel.closeFuture.get()
        case .withoutQuery:
            choice.onBare()
            try await writer.write(.withoutQuery(purpose), to: request)
        case .hostMissing: try await writer.write(.hostMissing(purpose), to: request)
        case .hostForeign: try await writer.write(.hostForeign(purpose), to: request)
        case .pathUnknown: try await writer.write(.pathUnknown(purpose), to: request)
        case .methodNotAllowed: try await writer.write(.methodNotAllowed(purpose), to: request)
        case .notNavigation: try await writer.write(.notNavigation(purpose), to: request)
        }
    }
}

extension ResponseWriter {
    @concurrent fileprivate consuming func write(_ page: Page, to request: HTTPRequest) async throws {
        let bytes = ByteBuffer(string: request.method == .head ? "" : page.html)
        var head = HTTPResponse(status: .init(code: page.status), headerFields: page.headers)
        head.headerFields[.contentLength] = String(bytes.readableBytes)
        try await write(response: head, body: ResponseBody(byteBuffer: bytes))
    }
}

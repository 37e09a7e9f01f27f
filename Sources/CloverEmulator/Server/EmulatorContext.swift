import Hummingbird
import NIOCore

/// What the responder knows about a request besides the request: its connection.
struct EmulatorContext: InitializableFromSource {
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        channel = source.channel
    }
}

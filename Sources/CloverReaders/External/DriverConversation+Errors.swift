extension DriverConversation {
    /// What an error of the driver's about a reader means. The codes are those of clover-reader-driver(5); a driver may
    /// have others.
    func error(
        _ refusal: DriverMessage.DriverRefusal, of reader: String, during operation: ReaderOperation?
    ) -> ReaderError {
        switch refusal.code {
        case "not_found": .unknownReader(reader)
        case "out_of_range": .vanished(reader)
        case "busy": .connectedElsewhere(reader)
        case "not_answering", "timeout": .notAnswering(reader)
        case "not_permitted": .notPermitted(detail: refusal.message)
        case "lost": .connectionLost(reader, during: operation)
        case "low_battery" where refusal.battery != nil:
            .batteryTooLow(reader, battery: refusal.battery ?? 0, needed: ReaderRules.updateBattery)
        case "update_failed": .updateFailed(reader, detail: refusal.message)
        default: .failed(reader, code: refusal.code, detail: refusal.message)
        }
    }
}

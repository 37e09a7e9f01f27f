/// What is found when the service is asked about an operation.
enum Sighting {
    /// The service has it.
    case found(Verdict)
    /// The service does not have it now.
    case absent
    /// Nobody can tell, and why.
    case unclear(String)
}

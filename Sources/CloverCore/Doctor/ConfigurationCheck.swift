import CloverConfiguration
import CloverStorage

/// The configuration file: that it may be trusted, and that everything in it can be meant.
struct ConfigurationCheck: DoctorCheck {
    func look(_ patient: Patient) async throws -> [Finding] {
        let file = try patient.environment.configurationFile()
        var repaired: [String] = []
        if let fault = try PermissionFault.find(file.directory, rule: .ownOrSystem) {
            guard patient.repairs, let repair = try fault.mend() else {
                return [.fail(.configuration, ConfigurationError.unreadable(fault.error))]
            }
            repaired.append(repair)
        }
        if let fault = try PermissionFault.find(file.path, rule: .ownOrSystem) {
            guard patient.repairs, let repair = try fault.mend() else {
                return [.fail(.configuration, ConfigurationError.unreadable(fault.error))]
            }
            repaired.append(repair)
        }
        let path = patient.shortened(file.path)
        guard let document = try file.read() else {
            return [
                .ok(.configuration, "no configuration file \(path): everything is at its default", repairs: repaired)
            ]
        }
        guard document.problems.isEmpty else {
            return [.fail(.configuration, ConfigurationError.invalid(path: file.path, document.problems))]
        }
        let count = document.profiles.count
        let profiles = count == 0 ? "" : count == 1 ? ", 1 profile" : ", \(count) profiles"
        return [.ok(.configuration, "configuration \(path)\(profiles)", repairs: repaired)]
    }
}

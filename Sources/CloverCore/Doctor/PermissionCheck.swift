import CloverStorage

/// What is in the state directory: that nobody else can read secrets or change anything.
struct PermissionCheck: DoctorCheck {
    func look(_ patient: Patient) async throws -> [Finding] {
        let survey = try PermissionSurvey(of: try patient.state())
        var findings: [Finding] = []
        var repaired: [String] = []
        for fault in survey.faults {
            if patient.repairs, let repair = try fault.mend() {
                repaired.append(repair)
            } else {
                findings.append(.fail(.permissions, fault.error))
            }
        }
        guard findings.isEmpty else { return findings }
        let text =
            survey.count == 0
            ? "nothing is kept yet" : "\(survey.count) files and directories are closed to others"
        return [.ok(.permissions, text, repairs: repaired)]
    }
}

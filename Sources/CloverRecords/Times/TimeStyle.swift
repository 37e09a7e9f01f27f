/// How times in time columns are written. A time that is not an integer stays as it was sent.
package enum TimeStyle: Sendable, Equatable {
    /// The service's integers.
    case asSent
    /// ISO 8601 with milliseconds and the zone's offset: `2026-11-21T07:14:03.120Z`, `2026-11-21T02:14:03.120-05:00`.
    case iso(TimeZoneRules)
    /// For people: date, hour and minute in the zone, `2026-11-21 02:14`.
    case short(TimeZoneRules)
}

package import CloverHTTP

/// What the service issued: an access token and what it may be renewed with.
package struct IssuedTokens: Equatable, Sendable {
    package let accessToken: Secret
    /// Good for one renewal. Nil when the service gave none.
    package let refreshToken: Secret?
    /// When the access token ends, in seconds since 1970 UTC by the service's clock; nil when it does not say.
    package let accessTokenExpires: Int64?
    /// When the refresh token ends, in seconds since 1970 UTC by the service's clock; nil when there is none or the service
    /// does not say.
    package let refreshTokenExpires: Int64?
    /// The service's clock when it answered (`Date` of RFC 9110, section 6.6.1), in seconds since 1970 UTC.
    package let serverTime: Int64?
    /// Our clocks when the request was sent. Taken before it rather than after, so that a slow answer makes tokens
    /// look older, never younger.
    package let askedAt: TokenClock.Reading

    /// Puts the parts together.
    package init(
        accessToken: Secret, refreshToken: Secret? = nil, accessTokenExpires: Int64? = nil,
        refreshTokenExpires: Int64? = nil, serverTime: Int64? = nil, askedAt: TokenClock.Reading
    ) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.accessTokenExpires = accessTokenExpires
        self.refreshTokenExpires = refreshToken == nil ? nil : refreshTokenExpires
        self.serverTime = serverTime
        self.askedAt = askedAt
    }
}

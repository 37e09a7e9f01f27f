import Foundation
import Testing

extension EmulatorProcess {
    static let redirectURI = "http://127.0.0.1:41000/callback"

    var appID: String { ready["appId"]?.text ?? "" }
    var appSecret: String { ready["appSecret"]?.text ?? "" }

    /// One request on a separate connection.
    func request(
        _ method: String, _ target: String, body: String? = nil, contentType: String = "application/json",
        token: String? = nil, headers: [String: String] = [:]
    ) throws -> HTTPAnswer {
        let connection = try LoopbackConnection(port: port)
        try connection.send(
            target, token: token, method: method, body: body, contentType: contentType, headers: headers)
        return try connection.receive(isHead: method == "HEAD")
    }

    static func json(_ members: [String: String]) throws -> String {
        String(decoding: try JSONSerialization.data(withJSONObject: members), as: UTF8.self)
    }

    static func form(_ fields: [String: String]) -> String {
        var allowed = CharacterSet.alphanumerics
        allowed.insert(charactersIn: "-._~")
        return fields.sorted { $0.key < $1.key }.map { name, value in
            "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: allowed) ?? "")"
        }.joined(separator: "&")
    }

    func post(_ target: String, _ members: [String: String]) throws -> HTTPAnswer {
        try request("POST", target, body: try Self.json(members))
    }

    /// The fields of an authorize request, with changes; an empty value removes a field.
    func authorizeFields(_ changes: [String: String] = [:]) -> [String: String] {
        ["client_id": appID, "redirect_uri": Self.redirectURI, "state": "s1"].merging(changes) { $1 }
            .filter { !$0.value.isEmpty }
    }

    /// Presses a button of the consent page.
    func decide(
        _ decision: String, _ changes: [String: String] = [:], path: String = "/oauth/v2/authorize"
    ) throws -> HTTPAnswer {
        let fields = authorizeFields(changes).merging(["decision": decision]) { $1 }
        return try request(
            "POST", path, body: Self.form(fields), contentType: "application/x-www-form-urlencoded")
    }

    /// A code for the challenge of `PKCE`.
    func code() throws -> String {
        let answer = try decide("approve", ["code_challenge": PKCE.challenge, "code_challenge_method": "S256"])
        return try #require(Redirect(answer).query["code"])
    }

    func exchange(_ code: String, suffix: String = "") throws -> HTTPAnswer {
        try post(
            "/oauth/v2/token" + suffix, ["client_id": appID, "code": code, "code_verifier": PKCE.verifier])
    }

    /// The four members of a new pair.
    func signIn() throws -> Node {
        let answer = try exchange(try code())
        try #require(answer.status == 200)
        return try Node(answer.body)
    }

    func refresh(_ token: String) throws -> HTTPAnswer {
        try post("/oauth/v2/refresh", ["client_id": appID, "refresh_token": token])
    }

    /// A token of the legacy flow.
    func legacyToken() throws -> String {
        let answer = try decide("approve", ["response_type": "token"], path: "/oauth/authorize")
        let fragment = try #require(Redirect(answer).fragment)
        try #require(fragment.hasPrefix("access_token="))
        return String(fragment.dropFirst("access_token=".count))
    }

    /// Repeats a request until the response has a status; fails after five minutes.
    func wait(forStatus status: Int, _ ask: () throws -> HTTPAnswer) throws -> HTTPAnswer {
        var answer = try ask()
        let isMet = try Self.eventually {
            if answer.status != status { answer = try ask() }
            return answer.status == status
        }
        #expect(isMet, "\(answer.status)")
        return answer
    }
}

extension HTTPAnswer {
    /// The `message` of a JSON body.
    var message: String? {
        (try? Node(body))?["message"]?.text
    }
}

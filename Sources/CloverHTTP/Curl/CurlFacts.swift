import CCurl

/// What libcurl reports about a completed transfer (curl_easy_getinfo(3)).
struct CurlFacts {
    let handle: UnsafeMutableRawPointer
    let curl: UnsafePointer<clover_curl>

    func read(failure: HTTPTransportError?) -> TransferFacts {
        var facts = TransferFacts()
        facts.failure = failure
        let status = number(CURLINFO_RESPONSE_CODE)
        facts.status = status == 0 ? nil : status
        facts.httpVersion = status == 0 ? nil : Self.version(number(CURLINFO_HTTP_VERSION))
        facts.remoteAddress = address
        facts.isConnectionReused = facts.remoteAddress != nil && number(CURLINFO_NUM_CONNECTS) == 0
        facts.bytesReceived = Int(offset(CURLINFO_SIZE_DOWNLOAD_T))
        facts.timing.nameLookup = seconds(CURLINFO_NAMELOOKUP_TIME_T)
        facts.timing.connect = seconds(CURLINFO_CONNECT_TIME_T)
        facts.timing.tls = seconds(CURLINFO_APPCONNECT_TIME_T)
        facts.timing.firstByte = seconds(CURLINFO_STARTTRANSFER_TIME_T)
        facts.timing.total = seconds(CURLINFO_TOTAL_TIME_T)
        return facts
    }

    /// The fields of a request head, without its first line.
    static func headers(of head: String) -> [HTTPHeader] {
        head.split(whereSeparator: \.isNewline).dropFirst().compactMap { line in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            return HTTPHeader(name: String(line[..<colon]), value: String(value))
        }
    }

    // Values that libcurl does not know keep the defaults set before the call, so the calls' results are ignored.

    private func number(_ information: CURLINFO) -> Int {
        var value = 0
        _ = clover_curl_get_long(curl, handle, information, &value)
        return value
    }

    private func offset(_ information: CURLINFO) -> Int64 {
        var value: curl_off_t = 0
        _ = clover_curl_get_offset(curl, handle, information, &value)
        return Int64(value)
    }

    /// libcurl reports microseconds.
    private func seconds(_ information: CURLINFO) -> Double {
        Double(offset(information)) / 1e6
    }

    private var address: String? {
        var text: UnsafePointer<CChar>?
        _ = clover_curl_get_string(curl, handle, CURLINFO_PRIMARY_IP, &text)
        guard let text, text.pointee != 0 else { return nil }
        let host = String(cString: text)
        return (host.contains(":") ? "[\(host)]" : host) + ":\(number(CURLINFO_PRIMARY_PORT))"
    }

    private static func version(_ number: Int) -> String? {
        switch number {
        case Int(CURL_HTTP_VERSION_1_0): "HTTP/1.0"
        case Int(CURL_HTTP_VERSION_1_1): "HTTP/1.1"
        case Int(CURL_HTTP_VERSION_2_0): "HTTP/2"
        case Int(CURL_HTTP_VERSION_3): "HTTP/3"
        default: nil
        }
    }
}

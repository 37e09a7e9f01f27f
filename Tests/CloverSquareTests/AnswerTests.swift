import CloverSquare
import Testing

@Suite("Answers about responses")
struct AnswerTests {
    private func answer(
        _ url: String, _ platform: SquarePlatform = .ios, profile: SquareProfile = .pointOfSale354,
        mark: SquareJSON? = nil
    ) -> String {
        SquareOutputLine.response(url: url, platform.outcome(of: url, profile: profile), isSquareResponse: mark)
    }

    @Test("a payment")
    func payment() {
        let url = #"my-app://x?data={"status":"ok","transaction_id":"T","client_transaction_id":"C","state":"s"}"#
        #expect(
            answer(url)
                == #"{"url":"my-app://x?data={\"status\":\"ok\",\"transaction_id\":\"T\","#
                + #"\"client_transaction_id\":\"C\",\"state\":\"s\"}","ok":true,"success":true,"transactionId":"T","#
                + #""clientTransactionId":"C","state":"s","error":null}"#)
    }

    @Test("an error of the app; what is not there is null")
    func error() {
        #expect(
            answer("a://b?data=%7B%22status%22:%22error%22,%22error_code%22:%22not_logged_in%22%7D")
                == #"{"url":"a://b?data=%7B%22status%22:%22error%22,%22error_code%22:%22not_logged_in%22%7D","#
                + #""ok":true,"success":false,"transactionId":null,"clientTransactionId":null,"state":null,"#
                + #""error":{"domain":"SCCAPIErrorDomain","number":3,"name":"SCCAPIErrorCodeAppNotLoggedIn","#
                + #""wire":"not_logged_in","message":"no user is logged in to the Square app","#
                + #""remedy":"log in to the Square app, then send the request again"}}"#)
    }

    @Test("a URL that is not a response, with the mark requested")
    func noResponse() {
        let url = "a://square_request?data=%7B%7D"
        #expect(
            answer(url, profile: .register21, mark: .boolean(CallbackMarker.isPresent(in: url)))
                == #"{"url":"a://square_request?data=%7B%7D","ok":false,"error":{"domain":"SCCErrorDomain","#
                + #""number":10,"name":"SCCErrorCodeMissingOrInvalidResponseStatus","#
                + #""message":"'status' in the data is neither 'ok' nor 'error'","#
                + #""remedy":"do not count the payment as made; check the Square app, and find out which program "#
                + #"sent this URL"},"#
                + #""isSquareResponse":true}"#)
    }

    @Test("a response on Android's web")
    func android() {
        let url = "https://cafe.example/paid?com.squareup.pos.SERVER_TRANSACTION_ID=T"
        #expect(
            answer(url, .androidWeb)
                == #"{"url":"\#(url)","ok":true,"success":true,"transactionId":"T","clientTransactionId":null,"#
                + #""state":null,"error":null}"#)
        #expect(answer(url, .iosWeb).contains(#""number":8"#))
    }

    @Test("a single request: its URL and its data")
    func single() throws {
        let handOff = try SquareRequest(plainDraft(), profile: .register21).handOff()
        #expect(handOff.json.written() == #"{"url":"\#(handOff.url)","data":\#(handOff.data.written())}"#)
    }
}

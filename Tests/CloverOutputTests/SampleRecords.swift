/// Records that are hard to treat right: escapes, scripts, sizes, depths, numbers.
enum SampleRecords {
    static let deep = String(repeating: "[", count: 200) + "7" + String(repeating: "]", count: 200)

    static let all: [String] = [
        #"{"id":"A1","total":1250,"state":"open","note":"Café crème","tags":["x","y"],"createdTime":1700000000123}"#,
        #"{"id":"A2","total":990,"state":"paid","note":"quote \" slash \\ \/ tab \t nul \u0000 del \u007f","tags":[]}"#,
        #"{"id":"A3","total":0,"state":"open","note":"🥐 \ud83d\ude00 \ud83e\udd50\ufe0f","tags":["é","ß","\u00e9"]}"#,
        #"{"id":"A4","total":-5,"state":"locked","note":"قهوة تركية \u200f","tags":["שלום"]}"#,
        #"{"id":"A5","total":12.5,"note":null,"lineItems":{"elements":[{"name":"Tea","price":300},{"name":"Pie","price":450}]}}"#,
        #"{"id":"A6","total":9007199254740993,"big":12345678901234567890,"small":1e-7,"huge":1e1000,"neg":-0}"#,
        #"{"id":"A7","total":0.1,"n":[1.0,2.50,3e2,-4E-2,100000000000000000000,1e17,123456789012345678]}"#,
        #"{"total":7,"a":{"b":{"c":[1,{"d":null}]}},"note":"line\nbreak\r\n<b>&'amp'</b>"}"#,
        #"{"id":"A9","dup":1,"dup":2,"":"empty name","a b":"space","\u0061":"escaped name","total":3}"#,
        #"{"id":10,"total":true,"note":"lone \udc00 surrogate","tags":null}"#,
        #"{"id":"A11","total":"12","note":"2024-02-29T12:34:56Z","tags":["2015-03-05T23:51:47Z"]}"#,
        #"{"id":"A12","total":1,"note":"aGVsbG8gd29ybGQ=","deep":\#(deep)}"#,
        #"[1,[2,3],{"id":"x"},null,"s"]"#,
        #""a plain string ünï""#,
        "42", "-0", "null", "true", "false", "{}", "[]", "0.1e1", #""""#,
        #"{"id":"last","total":100,"note":"zz ZZ zz","tags":["b","a","c"],"x":{"z":1,"y":2,"x":3}}"#,
    ]
}

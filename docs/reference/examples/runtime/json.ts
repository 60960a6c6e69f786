// Reads and writes JSON without rounding 64-bit integers. Generated code imports these functions only if the contract needs them.
import * as json from "@ridlkit/runtime/json";

console.log(json.parseJson('{"id":9007199254740993}')); // { id: 9007199254740993n }
console.log(json.parseJsonObject('{"id":7}')); // { id: 7 }
console.log(json.readExactJson("18446744073709551615", 10)); // 18446744073709551615n
console.log(json.readPlainJson('{"id":7}', 10)); // { id: 7 }
console.log(json.stringifyJson([9007199254740993n])); // [9007199254740993]
console.log(json.stringifyMessage({ id: 9007199254740993n }));

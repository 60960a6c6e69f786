// Reads and writes JSON without rounding 64-bit integers.
import {
  JsonSyntaxError,
  parseJson,
  stringifyJson,
} from "@ridlkit/runtime/json";

console.log(parseJson('{"id":9007199254740993}')); // { id: 9007199254740993n }
console.log(stringifyJson([9007199254740993n])); // [9007199254740993]
try {
  parseJson("[1,");
} catch (error) {
  if (error instanceof JsonSyntaxError) console.log(error.position); // 3
}

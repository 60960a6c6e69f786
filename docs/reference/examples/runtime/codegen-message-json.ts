// Reads and writes messages without rounding 64-bit integers. Generated clients import these functions only if the contract needs them.
import {
  parseJsonObject,
  stringifyMessage,
} from "@ridlkit/runtime/codegen/message-json";

console.log(parseJsonObject('{"id":7}')); // { id: 7 }
console.log(stringifyMessage({ id: 9007199254740993n })); // {"id":9007199254740993}

// Reads and writes messages without rounding 64-bit integers, and refuses values that JSON would lose. Generated clients import these functions only if the contract needs them.
import {
  parseJsonObject,
  sendable,
  stringifyMessage,
} from "@ridlkit/runtime/codegen/message-json";

console.log(parseJsonObject('{"id":7}')); // { id: 7 }
console.log(stringifyMessage({ id: 9007199254740993n })); // {"id":9007199254740993}
console.log(sendable()({ any: [1, null] })); // { any: [ 1, null ] }

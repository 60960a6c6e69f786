// Writes responses as JSON. Generated servers import these functions.
import {
  escapeJson,
  jsonExtra,
  jsonList,
  jsonMap,
} from "@ridlkit/runtime/codegen/printing";

console.log(escapeJson('a "b"')); // a \"b\"
console.log(jsonList([1, 2], String)); // [1,2]
console.log(jsonMap({ a: 1, b: undefined }, String)); // {"a":1}
console.log(jsonExtra({ id: 1, a: 2 }, new Set(["id"]), String)); // ,"a":2

// Writes responses as JSON. Generated servers import these functions.
import {
  escapeJson,
  jsonList,
  jsonMap,
} from "@ridlkit/runtime/codegen/printing";

console.log(escapeJson('a "b"')); // a \"b\"
console.log(jsonList([1, 2], String)); // [1,2]
console.log(jsonMap({ a: 1, b: undefined }, String)); // {"a":1}

import { builtInErrors } from "./built-in-errors.js";

/** Words that TypeScript does not accept as the name of a type or a constant. */
const keywords = [
  ..."any arguments as async await bigint boolean break case catch class".split(
    " ",
  ),
  ..."const continue debugger default delete do else enum eval export".split(
    " ",
  ),
  ..."extends false finally for function if implements import in".split(" "),
  ..."instanceof interface let never new null number object package".split(" "),
  ..."private protected public return static string super switch symbol".split(
    " ",
  ),
  ..."this throw true try type typeof undefined unknown var void while".split(
    " ",
  ),
  ..."with yield".split(" "),
];

/** Global names that generated code uses, and parameters of its functions. */
const globals = [
  ..."Array AsyncIterable BigInt Boolean Date Error Infinity Map NaN".split(
    " ",
  ),
  ..."Number Object".split(" "),
  ..."Partial Promise Readonly Record RegExp Set String Symbol TypeError".split(
    " ",
  ),
  ..."Uint8Array globalThis URL Math JSON".split(" "),
  ..."context handlers item key options parameters report request".split(" "),
  ..."response state value entry result".split(" "),
];

/** Names that generated files export whatever the contract is. */
const fixed = [
  ..."BuiltInError builtInErrors errors".split(" "),
  ...builtInErrors.map(({ name }) => `${name}Error`),
];

/** Names that no declaration of a contract gets. */
export const reservedNames: ReadonlySet<string> = new Set([
  ...keywords,
  ...globals,
  ...fixed,
]);

/**
 * Members that every object has, or that give an object a meaning of its own:
 * no method of a client or handler is called so.
 */
export const objectMembers: ReadonlySet<string> = new Set([
  ..."constructor hasOwnProperty isPrototypeOf propertyIsEnumerable".split(" "),
  ..."prototype then toJSON toLocaleString toString valueOf".split(" "),
  ..."__proto__".split(" "),
]);

/** Properties that every object inherits. */
export const inheritedNames: ReadonlySet<string> = new Set([
  ..."__defineGetter__ __defineSetter__ __lookupGetter__".split(" "),
  ..."__lookupSetter__ __proto__ constructor hasOwnProperty".split(" "),
  ..."isPrototypeOf propertyIsEnumerable toLocaleString toString".split(" "),
  "valueOf",
]);

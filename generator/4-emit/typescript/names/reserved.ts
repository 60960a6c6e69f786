import { builtInErrors } from "./built-in-errors.js";

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/u);
}

/** Words that no declaration in a module can have as its name. */
export const reservedWords: ReadonlySet<string> = new Set(
  words(`
    arguments await break case catch class const continue debugger default
    delete do else enum eval export extends false finally for function if
    implements import in instanceof interface let new null package private
    protected public return static super switch this throw true try typeof
    undefined var void while with yield
  `),
);

/** Names of TypeScript's own types, which no declared type can have. */
export const typeWords: ReadonlySet<string> = new Set(
  words("any bigint boolean never number object string symbol unknown"),
);

/** Words that TypeScript does not allow as the name of a type or a constant. */
const keywords = [...reservedWords, ...typeWords, ...words("as async type")];

/** Global names that generated code uses, and parameters of its functions. */
const globals = words(`
  Array AsyncIterable BigInt Boolean Date Error Infinity Map NaN Number Object
  Partial Promise Readonly Record RegExp Set String Symbol TypeError Uint8Array
  globalThis URL Math JSON
  context handlers item key options parameters report request response state
  value entry result
`);

/** Names that generated files export for every contract. */
const fixed = [
  ...words("BuiltInError builtInErrors errors"),
  ...builtInErrors.map(({ name }) => `${name}Error`),
];

/** Names that no declaration of a contract can have. */
export const reservedNames: ReadonlySet<string> = new Set([
  ...keywords,
  ...globals,
  ...fixed,
]);

/**
 * Members that every object has, or that change how an object behaves. No
 * method of a client or handler can have these names.
 */
export const objectMembers: ReadonlySet<string> = new Set(
  words(`
    constructor hasOwnProperty isPrototypeOf propertyIsEnumerable prototype then
    toJSON toLocaleString toString valueOf __proto__
  `),
);

/** Properties that every object inherits. */
export const inheritedNames: ReadonlySet<string> = new Set(
  words(`
    __defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ __proto__
    constructor hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString
    toString valueOf
  `),
);

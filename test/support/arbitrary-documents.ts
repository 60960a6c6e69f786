import fc from "fast-check";
import { quote } from "../../generator/1-parse/values.js";
import { scalarNames } from "../../generator/ir/scalars.js";

/** Strings that a schema may contain. */
const text = fc
  .string({ unit: "grapheme", maxLength: 10 })
  .map((each) => each.replace(/\p{Cc}/gu, ""));
const name = fc.stringMatching(/^[A-Z][A-Za-z0-9]{0,6}$/);
const lowerName = fc.stringMatching(/^[a-z][A-Za-z0-9_]{0,6}$/);
const docs = (margin: string): fc.Arbitrary<string> =>
  fc
    .array(text, { maxLength: 2 })
    .map((lines) =>
      lines.map((each) => `${margin}# ${each.trim()}\n`).join(""),
    );

/** A core type, or one of the three types that every document declares. */
const typeText: fc.Arbitrary<string> = fc.letrec<{ type: string }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(...scalarNames.filter((each) => each !== "file"), "[]byte"),
    fc.constantFrom("OwnStruct", "OwnEnum", "OwnAlias"),
    tie("type").map((element) => `[]${element}`),
    fc
      .tuple(fc.constantFrom("string", "int32", "OwnEnum"), tie("type"))
      .map(([key, value]) => `map<${key},${value}>`),
  ),
})).type;

/** Fields with each key that limits or describes a value. */
const described = [
  "string\n    + minLength = 1\n    + maxLength = 3\n    + example = ab",
  'string\n    + pattern = "^a#b$"\n    + sensitive = true',
  "string\n    + format = uri\n    + nullable = true",
  'string\n    + jsonName = "@odata.type"',
  "map<string,any>\n    + extra = true",
  "int8\n    + minimum = -1\n    + maximum = 5\n    + deprecated = old",
  "string\n    + enum = \"''|a|'b|c'\"",
  "[]bool\n    + minItems = 1\n    + maxItems = 2\n    + uniqueItems = true",
  "map<string,bool>\n    + minProperties = 1\n    + maxProperties = 2\n    + json = other",
];

const metadata = fc
  .array(
    fc.tuple(fc.stringMatching(/^x\.[a-z]{1,4}(\.[a-z0-9]{1,3})?$/), text),
    { maxLength: 2 },
  )
  .map((entries) =>
    entries.map(([key, value]) => `    + ${key} = ${quote(value)}\n`).join(""),
  );

const fields = fc
  .uniqueArray(
    fc.tuple(docs("  "), lowerName, fc.boolean(), typeText, metadata),
    { maxLength: 4, selector: ([, each]) => each.toLowerCase() },
  )
  .map((list) =>
    list
      .map(
        ([above, each, isOptional, type, below]) =>
          `${above}  - ${each}${isOptional ? "?" : ""}: ${type}\n${below}`,
      )
      .join(""),
  );

const struct = fc
  .tuple(docs(""), fields, fc.option(fc.constantFrom(...described)))
  .map(([above, list, more]) => (id: string) => {
    const last = more === null ? "" : `  - described_: ${more}\n`;
    return `${above}struct S${id}\n${list}${last}`;
  });

/** Declarations with a meaning of their own. */
const special = fc
  .constantFrom(
    (id: string) => `enum Letter${id}: string
  - a

type Known${id}: string
  + known = Letter${id}
  + title = "a letter"
  + accept = integer
`,
    (id: string) => `type Key${id}: string
  + header = X-Key-${id}
  + scheme = Bearer
  + error = OwnError

type Word${id}: string
  + query = word_${id}
  + error = OwnError

type Session${id}: string
  + cookie = sid_${id}
  + error = OwnError

service Locked${id}
  @auth:X-Key-${id} @idempotent @deprecated:"use another"
  - Open() => ()
  @auth:"?word_${id}|Cookie:sid_${id}" @idempotencyKey:optional
  - Close() => ()
`,
    (id: string) => `service Read${id}
  @get:"/read${id}/{name}" @body:item @readonly
  - Get(name: string) => (item: OwnStruct)
  @http:"PUT /read${id}/{name}?note&limit={size}&beta=true 201" @requestBody:item
  - Put(name: string, note?: string, size?: uint32, item: OwnStruct) => (item: OwnStruct)
  @http:"PUT /merge${id}/{name}" @requestBody:item @contentType:"application/merge-patch+json"
  - Merge(name: string, item: OwnStruct) => (name: string)
  @http:"PUT /copy${id} 201" @body:item @responseHeaders:"Location={place}"
  - Copy() => (item: OwnStruct, place: string)
  @http:"PUT /state${id} 200={item} 201={item} 204" @responseStatus:status
  - State() => (item?: OwnStruct, status: uint16)
  @http:"POST /form${id}?note" @form @requestHeaders:"X-Size={size}"
  - Fill(note?: string, size?: uint32, names: []string, sizes?: map<string,uint32>) => ()
  @get:"/read${id}/{other}" @clientOnly
  - Other(other: string) => (note: string)
  @tool
  - Upload(file: file, name?: string) => (file)
`,
    (id: string) => `struct Cat${id}
  - kind: string
    + enum = "cat | 'big cat'"

struct Dog${id}
  - kind: bool
    + enum = true

type Pet${id}: any
  + oneOf = Cat${id}|Dog${id}
  + tag = kind
  + open = true

type Mixed${id}: any
  + oneOf = "string | []Mixed${id} | int8"
  + oneOf = Pet${id}
  + nullable = true
`,
    (id: string) => `struct Beside${id}
  - code: string
  - data: any
    + oneOf = a,b:OwnStruct|c:null
    + tag = code

struct Either${id}
  - one?: string
    + choice = way
  - two?: OwnStruct
    + choice = way

error 7${id} Lost${id} "Lost." HTTP 404

type LostData${id}: OwnStruct
  + dataOf = Lost${id}
  + anyStatus = true

struct Limit${id}
  - plan: string
  - left?: uint32
    + header = X-Left

error 8${id} Limited${id} "Limited." HTTP 429

type LimitData${id}: Limit${id}
  + dataOf = Limited${id}
`,
    (id: string) => `service Hook${id}
  @webhook
  - Sent(item: OwnStruct)
`,
    (id: string) => `service Stream${id}
  - Send(a: int8) => stream (b: int8)
  @resume:"after=b"
  - Follow(after?: int8) => stream (b: int8)
  - Nothing()
`,
  )
  .map((each) => each);

const enumeration = fc
  .tuple(
    fc.constantFrom("string", "uint8", "int64"),
    fc.uniqueArray(name, { maxLength: 4 }),
    // webrpc rejects empty values.
    fc.uniqueArray(
      text.filter((each) => each !== ""),
      { minLength: 4, maxLength: 4 },
    ),
    fc.boolean(),
  )
  .map(([base, members, values, isExplicit]) => (id: string) => {
    const lines = members.map((member, index) => {
      const value =
        base === "string" ? (values[index] ?? "") : String(index * 3);
      return isExplicit
        ? `  - ${member} = ${quote(value)}\n`
        : `  - ${member} # ${member}\n`;
    });
    return `enum E${id}: ${base}\n${lines.join("")}`;
  });

const error = fc.tuple(text, fc.integer({ min: 400, max: 599 })).map(
  ([message, status]) =>
    (id: string) =>
      `error 1${id} Err${id} ${quote(`${message}.`)} HTTP ${status}\n`,
);

const message = fc
  .uniqueArray(fc.tuple(lowerName, fc.boolean(), typeText), {
    maxLength: 3,
    selector: ([each]) => each,
  })
  .map((list) =>
    list
      .map(
        ([each, isOptional, type]) =>
          `${each}${isOptional ? "?" : ""}: ${type}`,
      )
      .join(", "),
  );

const method = fc
  .tuple(docs("  "), text, message, message, fc.nat(3))
  .map(([above, value, input, output, kind]) => (id: string) => {
    const annotation =
      value === "" ? "" : `  @note:${quote(value)} @internal\n`;
    const messages = [
      `(${input}) => (${output})`,
      `(${input})`,
      "(OwnStruct) => (OwnStruct)",
      `(${input}) => stream (${output})`,
    ][kind];
    const errors = kind === 1 ? "" : " errors OwnError";
    return `${above}${annotation}  - M${id}${messages}${errors}\n`;
  });

const service = fc
  .tuple(docs(""), fc.array(method, { minLength: 1, maxLength: 3 }))
  .map(
    ([above, methods]) =>
      (id: string) =>
        `${above}service v1/V${id}\n${methods.map((each, index) => each(String(index))).join("")}`,
  );

/** Declarations that the items of a document refer to. */
export const head = `version = v1.2.3
basepath = /v1//rpc

struct OwnStruct
  - a: string

type OwnAddress: string
  + base = "https://{own}.example"

enum OwnEnum: uint8
  - ONE

type OwnAlias: string
  + x.y = "z"

error 1 OwnError "own" HTTP 404

struct OwnFailure
  - detail: string
    + error = message

type OwnFailures: OwnFailure
  + errorBody = "application/json"
`;

/** A document without errors, with every construct that both forms have. */
export const arbitraryDocument = fc
  .tuple(
    text,
    fc.array(fc.oneof(struct, enumeration, error, service, special), {
      maxLength: 5,
    }),
  )
  .map(
    ([title, items]) => `webrpc = v1
name = ${quote(`a${title}`)}
${head}
${items.map((each, index) => each(String(index))).join("\n")}`,
  );

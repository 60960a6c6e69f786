import fc from "fast-check";
import { expect } from "vitest";
import type { EmitOptions } from "../../generator/4-emit/emitter/emitter.js";
import type { Target } from "../../generator/4-emit/emitter/target.js";
import type { OpenapiOptions } from "../../generator/4-emit/openapi/openapi-options.js";
import { targetsWith } from "./golden-cases.js";
import { scalars } from "../../generator/ir/scalars.js";

/** Documents with names and text as hostile as the language allows. */
export interface HostileProject {
  readonly entries: readonly string[];
  /** The documents by path. */
  readonly documents: ReadonlyMap<string, string>;
  readonly options: EmitOptions;
  /** The setting of the target `openapi`. */
  readonly openapi: OpenapiOptions;
  readonly targets: readonly Target[];
}

/** Returns the words of a string. */
function wordsOf(text: string): readonly string[] {
  return text.trim().split(/\s+/u);
}

const long = "LongName".repeat(25);

const hostNames = [
  ...wordsOf(`
  1inch 0x 3box 商店 - -- _ aux con nul com1 runtime explorer client constructor
  __proto__ then index types errors server Api API a.b ../up /etc/passwd C:\\x
  a/b $ ½ é e\u0301 क्षि 🦄 node_modules Record platform default favicon.ico */
  </script> \${x} \`
  `),
  "two words",
  " ",
  "\u202eevil",
  "\u001b[31mred",
  long,
  "名".repeat(150),
];

const typeNames = [
  ...wordsOf(`
  Record Promise Date Array Map Set Error String Object Boolean Number Symbol
  Infinity NaN JSON Math URL Uint8Array Partial Readonly Request Response
  Headers FileData Blob FormData Client RpcError RpcErrorOptions BuiltInError
  ContractError ClientMethod ClientOptions Call CallOptions CredentialValue
  RequestContext State RpcServer ServerOptions Verify Report NotFoundError
  GetRequest GetResponse GetError APIClient APIHandler PlatformClient A A_ A1
  Errors Fetch I Any Int32 AbortSignal
  ReadableStream AsyncIterable Iterator Proxy Function
  `),
  long,
];

const words = [
  ...wordsOf(`
  constructor __proto__ then toString valueOf hasOwnProperty class prototype
  toJSON delete new await async default arguments eval undefined NaN _ __ _1 a
  A Get get_ getOne GetOne get_one URL Fetch options request response context
  handlers item key value report state result fetch client server errors index
  types string number any null true this super import export function in of
  let static yield enum interface package private public void with code name
  message status cause stack signal headers call connect create body length
  size type kind Symbol Object Promise then_ constructor_ a1 a2
  __defineGetter__ isPrototypeOf baseUrl credentials hosts
  `),
  long,
];

const serviceNames = [
  ...wordsOf(`
  v1/Example API Api Client Create RPC Platform Webhook _/_ a/b/c
  `),
  ...words,
];

const attack = "globalThis.hijacked = true";

/**
 * Each string ends a context in which text can appear, and then tries to run
 * code.
 */
const texts = [
  `*/ ${attack}; /*`,
  `\`; ${attack}; \``,
  `\${${attack}}`,
  `"; ${attack}; "`,
  `'; ${attack}; '`,
  `</script><script>${attack}</script><!-- `,
  `--> <img src=x onerror="${attack}">`,
  `[link](javascript:x) | \`code\` \`\`\` # *bold*`,
  "```\n```ts\nbroken(",
  `{{${attack}}} {@link globalThis}`,
  `\\"; ${attack}; //`,
  "@ts-nocheck @ts-expect-error @deprecated",
  "// eslint-disable",
  "\u001b[2J\u001b]0;title\u0007",
  "\u202e gnp.exe \u2066\u200b\ufeff\u00ad",
  "line\u2028separated\u2029text\u0085next",
  "\ud800 lone",
  "__proto__",
  "constructor",
  "naïve 商店 🦄 👩‍👩‍👧",
  "",
  " ",
  "%s %n ${}",
  "-",
  "1",
  "x".repeat(300),
];

const patterns = ["^[a-z/*]+$", "^</script>$", "^[`${}]{1,9}$", "^\\\\\"'$"];

/** Draws one of several values. */
type Draw = <Value>(values: readonly Value[]) => Value;

/** Draws a project with one to three hosts, mostly without faults. */
export const hostileProject: fc.Arbitrary<HostileProject> = fc
  .gen()
  .map((generate) => {
    const pick: Draw = (values) =>
      values[generate(fc.nat, values.length - 1)] ?? expect.unreachable();
    const pickSome = (values: readonly string[], most: number) => {
      const count = generate(fc.nat, most - 1) + 1;
      return distinct(Array.from({ length: count }, () => pick(values)));
    };
    const hosts = pickSome(hostNames, 3);
    const types = pickSome(typeNames, hosts.length * 5);
    const errors = pickSome(typeNames.slice(0, -1), 3);
    const shared = types.splice(0, 2);
    const documents = new Map([
      ["common.ridl", commonDocument(pick, shared, errors)],
    ]);
    const services = pickSome(serviceNames, hosts.length * 2);
    const perHost = Math.ceil(types.length / hosts.length);
    for (const [index, name] of hosts.entries()) {
      const own = types.splice(0, perHost);
      const draw: HostParts = {
        pick,
        pickSome,
        errors,
        own,
        types: [...shared, ...own],
        services: services.filter((_, at) => at % hosts.length === index),
      };
      documents.set(`host${index}.ridl`, hostDocument(name, index, draw));
    }
    return {
      entries: hosts.map((_, index) => `host${index}.ridl`),
      documents,
      options: drawOptions(pick),
      ...drawTargets(pick),
    };
  });

/**
 * Removes names that differ from an earlier one only in case or in characters
 * other than letters and digits.
 */
function distinct(names: readonly string[]): string[] {
  const byKey = new Map<string, string>();
  for (const name of names) {
    const key = name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "") || name;
    if (!byKey.has(key)) byKey.set(key, name);
  }
  return [...byKey.values()];
}

function drawOptions(pick: Draw): EmitOptions {
  const language = pick(["typescript", "javascript"] as const);
  return {
    language,
    int64: pick(["number", "bigint"] as const),
    timestamp: pick(["string", "date"] as const),
    runtime: pick(["import", "import", "import", "copy"] as const),
    importExtension: ".js",
    nullAsEmpty: pick([true, false]),
    explicitUndefined: pick([true, false]),
    readonlyLists: pick([true, false]),
  };
}

function drawTargets(pick: Draw): Pick<HostileProject, "openapi" | "targets"> {
  const openapi = { title: pick(texts), merge: pick([true, false]) };
  const targets = targetsWith({
    ...(pick([true, false]) && { compat: null }),
    query: "core",
    mcp: pick(["all", "annotated"]),
    schemas: null,
    "schemas-with-json": null,
    docs: { title: pick(texts) },
    "json-schema": null,
    markdown: null,
    mock: null,
    openapi,
  });
  return { openapi, targets };
}

interface HostParts {
  readonly pick: Draw;
  readonly pickSome: (values: readonly string[], most: number) => string[];
  readonly errors: readonly string[];
  /** The types that this document declares. */
  readonly own: readonly string[];
  /** All types that this document can use. */
  readonly types: readonly string[];
  readonly services: readonly string[];
}

function commonDocument(
  pick: Draw,
  types: readonly string[],
  errors: readonly string[],
): string {
  return lines([
    "webrpc = v1",
    "name = common",
    ...comment(pick),
    "type MyCredential: string",
    "  + header = X-Key",
    `  + scheme = ${pick(["Bearer", "Key"])}`,
    `  + error = ${pick(errors)}`,
    ...types.flatMap((name) => [
      ...comment(pick),
      `struct ${name}`,
      ...["a", "b_"].flatMap((field) => [
        `  - ${field}${pick(["", "?"])}: ${pick(Object.keys(scalars).filter(isPlain))}`,
        ...fieldMetadata(pick, field),
      ]),
    ]),
    ...errors.flatMap((name, index) => [
      ...comment(pick),
      `error ${100 + index} ${name} ${quote(pick(texts) || "x")} HTTP ${pick([400, 404, 500])}`,
    ]),
  ]);
}

function isPlain(name: string): boolean {
  return name !== "file";
}

function hostDocument(name: string, index: number, parts: HostParts): string {
  const { own, pick, services } = parts;
  return lines([
    "webrpc = v1",
    `name = ${quote(name)}`,
    `version = ${quote(pick(["v1.0.0", "v1 */ `", pick(texts) || "v1"]))}`,
    `basepath = "/${pick(["rpc", "{network}/rpc", "{class}", "{constructor}"])}/${index}"`,
    "",
    'import "common.ridl"',
    "",
    ...own.flatMap((type) => declaration(type, parts)),
    ...services.flatMap((service) => serviceLines(service, parts)),
  ]);
}

function declaration(name: string, parts: HostParts): readonly string[] {
  const { pick, pickSome } = parts;
  const form = pick(["struct", "struct", "enum", "text enum", "alias"]);
  if (form === "alias") {
    return [
      ...comment(pick),
      `type ${name}: string`,
      `  + pattern = ${quote(pick(patterns))}`,
      `  + title = ${quote(pick(texts) || "x")}`,
      `  + example = ${quote(pick(texts) || "x")}`,
    ];
  }
  if (form !== "struct") {
    const isText = form === "text enum";
    return [
      ...comment(pick),
      `enum ${name}: ${isText ? "string" : "uint8"}`,
      ...pickSome(words, 4).flatMap((member, at) => [
        ...comment(pick),
        isText
          ? `  - ${member} = ${quote(`${at}${pick(texts)}`)}`
          : `  - ${member}`,
      ]),
    ];
  }
  const fields = pickSome(words.filter(isFieldName), 5);
  return [
    ...comment(pick),
    `struct ${name}`,
    ...fields.flatMap((field, at) => [
      ...comment(pick),
      `  - ${field}${pick(["", "?"])}: ${typeText(parts)}`,
      ...fieldMetadata(pick, `${field}${at}`),
    ]),
  ];
}

function isFieldName(word: string): boolean {
  return !word.startsWith("_");
}

function fieldMetadata(pick: Draw, name: string): readonly string[] {
  return pick([
    [],
    [],
    [`  + json = ${pick([`${name}_json`, `class_${name}`, "-"])}`],
    [`  + deprecated = ${quote(pick(texts) || "x")}`],
    ["  + nullable = true"],
    ["  + sensitive = true"],
    [`  + ${quoteKey(pick(texts))} = ${quote(pick(texts) || "x")}`],
  ]);
}

/** Returns an unknown key of the kind that other tools use. */
function quoteKey(text: string): string {
  return `go.tag.${text.replace(/[^a-z]/gu, "") || "x"}`;
}

function typeText({ pick, types }: HostParts): string {
  const scalar = pick(Object.keys(scalars).filter(isPlain));
  // A required field that contains its own struct would have no finite value.
  return pick([
    scalar,
    scalar,
    `[]${scalar}`,
    `map<string,${scalar}>`,
    ...types.flatMap((type) => [`[]${type}`, `map<string,${type}>`]),
  ]);
}

function serviceLines(name: string, parts: HostParts): readonly string[] {
  const { errors, pick, pickSome } = parts;
  const isWebhook = pick([false, false, false, true]);
  const methods = pickSome(
    words.filter((word) => word !== "stream" && word !== "proxy"),
    5,
  );
  return [
    ...comment(pick),
    `service ${name}`,
    ...methods.flatMap((method, at) => {
      const call = pick(["plain", "plain", "stream", "upload", "rest"]);
      const isPlainCall = isWebhook || call === "plain";
      const request = argumentList(parts);
      const form = isPlainCall ? "plain" : call;
      return [
        ...comment(pick),
        ...(isWebhook ? ["@webhook"] : []),
        ...(isWebhook ? [] : pick([[], ["@auth:X-Key"]])),
        ...pick([[], [`@deprecated:${quote(pick(texts) || "x")}`]]),
        ...(form === "rest"
          ? [`@get:"/${name.replaceAll("/", "_")}/${at}/{id}"`]
          : []),
        [
          `- ${method}`,
          form === "rest" ? "(id: string)" : "",
          form === "upload"
            ? `(data: file${request === "" ? "" : `, ${request}`})`
            : "",
          form === "plain" || form === "stream" ? `(${request})` : "",
          ` => ${form === "stream" ? "stream " : ""}(${argumentList(parts)})`,
          ...pick([[], [` errors ${pickSome(errors, 2).join(" | ")}`]]),
        ].join(""),
        "",
      ];
    }),
  ];
}

function argumentList(parts: HostParts): string {
  const names = parts.pickSome(
    parts.pick([true, false]) ? words : words.slice(0, 12),
    3,
  );
  return names
    .filter((name) => name !== "data")
    .map((name) => `${name}${parts.pick(["", "?"])}: ${typeText(parts)}`)
    .join(", ");
}

/** Returns zero or more lines, none of which contains a line break. */
function comment(pick: Draw): readonly string[] {
  return pick([true, false])
    ? [pick(texts), pick(texts)]
        .join("\n")
        .split(/\r\n|[\n\r]/u)
        .map((line) => `# ${line}`)
    : [];
}

function quote(text: string): string {
  const escaped = text
    .replaceAll("\\", "\\\\")
    .replaceAll('"', '\\"')
    .replaceAll("\n", "\\n");
  return `"${escaped}"`;
}

function lines(all: readonly string[]): string {
  return `${all.join("\n")}\n`;
}

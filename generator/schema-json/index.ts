import { isFormPath } from "../1-parse/form-path.js";
import { printDocument } from "../1-parse/print.js";
import { parseDocument } from "../1-parse/load/parse-document.js";
import type { LoadedDocument } from "../1-parse/load/load-documents.js";
import type { CheckedContract } from "../2-check/index.js";
import { findHeader } from "../2-check/notation/headers.js";
import { normalizeBasePath } from "../2-check/notation/path-template.js";
import type {
  CheckedHost,
  DeclaredType,
  Scope,
} from "../2-check/program/program.js";
import { reachableFrom } from "../2-check/program/reach.js";
import type { Contract } from "../ir/contract.js";
import { invariant } from "../ir/invariant.js";
import type { ErrorJson, SchemaJson } from "./schema-json.js";
import { serviceToJson } from "./services.js";
import { typeToJson } from "./types.js";

export type { SchemaJson } from "./schema-json.js";

/**
 * webrpc's JSON form of one host: its document merged with what it imports.
 * Input: a contract about which no diagnostic is an error, and one of its hosts;
 * the part of the contract that is wanted, if that is not all of it.
 */
export function toSchemaJson(
  checked: CheckedContract,
  host: CheckedHost,
  part: Contract | null = null,
): SchemaJson {
  const schema = wholeSchema(checked, host);
  return part === null
    ? schema
    : reduceSchema(schema, part, host.document.path);
}

/** Leaves out what a part of the contract does not have. */
function reduceSchema(
  schema: SchemaJson,
  { errors, hosts, types }: Contract,
  document: string,
): SchemaJson {
  const host = hosts.find((each) => each.document === document);
  const methods = new Map(
    host?.services.map((each) => [each.name, namesOf(each.methods)]),
  );
  const typeNames = namesOf(types);
  const errorNames = namesOf(errors);
  return {
    ...schema,
    types: schema.types.filter(({ name }) => typeNames.has(name)),
    errors: schema.errors.filter(({ name }) => errorNames.has(name)),
    services: schema.services
      .filter(({ name }) => methods.has(name))
      .map((service) => ({
        ...service,
        methods: service.methods.filter(({ name }) =>
          methods.get(service.name)?.has(name),
        ),
      })),
  };
}

function namesOf(
  declarations: readonly { readonly name: string }[],
): ReadonlySet<string> {
  return new Set(declarations.map(({ name }) => name));
}

function wholeSchema(
  checked: CheckedContract,
  { document, services }: CheckedHost,
): SchemaJson {
  const scopeOf = ({ path }: LoadedDocument): Scope => {
    const scope = checked.scopes.get(path);
    invariant(scope !== undefined, `no scope for ${path}`);
    return scope;
  };
  const { types, errors } = reachableFrom([document], checked.scopes);
  const basePath = headerOf(document, "basepath");
  // webrpc fills in its default only where there is something to call.
  const hasPath = basePath !== "" || services.length > 0;
  return {
    webrpc: headerOf(document, "webrpc"),
    name: headerOf(document, "name"),
    version: headerOf(document, "version"),
    basepath: hasPath ? normalizeBasePath(basePath || "/rpc/") : "",
    types: byCategory([...types]).map((type) =>
      typeToJson(type, scopeOf(type.document)),
    ),
    errors: [...errors].map(({ syntax }): ErrorJson => {
      return {
        code: Number(syntax.code.text),
        name: syntax.name.text,
        message: syntax.message.text,
        httpStatus: Number(syntax.status?.text ?? 400),
      };
    }),
    services: services.map((service) =>
      serviceToJson(service, scopeOf(service.document)),
    ),
  };
}

/**
 * The text that webrpc writes: indented by one space, with a line break at the
 * end. Go escapes two separators that JavaScript leaves as they are.
 */
export function printSchemaJson(schema: SchemaJson): string {
  const text = JSON.stringify(schema, null, 1)
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
  return `${text}\n`;
}

/**
 * One RIDL document that says what the host's document says with its imports.
 * A whole one without imports is printed as it is, comments and all; another by
 * way of the JSON form, which keeps the docs that webrpc keeps.
 * Input: as for {@link toSchemaJson}.
 */
export function printSchemaRidl(
  checked: CheckedContract,
  host: CheckedHost,
  part: Contract | null = null,
): string {
  const { syntax, imports } = host.document;
  const isWhole = part === null && imports.length === 0;
  if (isWhole) return printDocument(syntax);
  const text = printSchemaJson(toSchemaJson(checked, host, part));
  return printDocument(parseDocument({ path: "merged.json", text }).value);
}

/**
 * webrpc's hash of a schema: SHA-1 of that text.
 * Input: a schema, and SHA-1 as lower-case hexadecimal digits.
 */
export function hashSchema(
  schema: SchemaJson,
  sha1: (text: string) => string,
): string {
  return sha1(printSchemaJson(schema));
}

function headerOf(document: LoadedDocument, key: string): string {
  return findHeader(document, key)?.value.text ?? "";
}

const CATEGORIES = ["alias", "enum", "struct"];

/**
 * Each document's own types as webrpc sorts them: aliases, enums, structs. The
 * JSON and YAML forms keep the order that they have.
 */
function byCategory(types: readonly DeclaredType[]): readonly DeclaredType[] {
  const runs: DeclaredType[][] = [];
  for (const type of types) {
    const run = runs.at(-1);
    if (run?.[0]?.document === type.document) run.push(type);
    else runs.push([type]);
  }
  return runs.flatMap((run) => {
    const [first] = run;
    if (first && isFormPath(first.document.path)) return run;
    return CATEGORIES.flatMap((kind) =>
      run.filter(({ syntax }) => syntax.kind === kind),
    );
  });
}

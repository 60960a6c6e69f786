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
 * Returns webrpc's JSON form of a host: its document merged with its imports.
 * Input: a contract without errors, one of its hosts, and optionally the part
 * of the contract to include.
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

/** Removes everything that the given part of the contract does not include. */
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
  // webrpc only uses its default if there are services.
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
 * Prints the text that webrpc writes: indented by one space, with a final line
 * break. Go escapes two separators that JavaScript does not.
 */
export function printSchemaJson(schema: SchemaJson): string {
  const text = JSON.stringify(schema, null, 1)
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
  return `${text}\n`;
}

/**
 * Prints one RIDL document that merges the host's document with its imports. A
 * whole document without imports is printed unchanged, with comments. Others
 * are converted from the JSON form, which has the same docs as webrpc's.
 * Input: the same as for {@link toSchemaJson}.
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
 * Returns webrpc's hash of a schema: the SHA-1 of its text. Input: a schema,
 * and a function that returns SHA-1 as lowercase hexadecimal digits.
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
 * Sorts each document's types like webrpc: aliases, enums, structs. The JSON
 * and YAML forms keep their order.
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

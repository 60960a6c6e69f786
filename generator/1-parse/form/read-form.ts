import type { Diagnosed } from "../../diagnostics/diagnostic.js";
import type { Source } from "../../source/source.js";
import type { Document, ErrorDeclaration, Header, Item } from "../ast.js";
import { FormObject, toLiteral, toName } from "./form-object.js";
import { Reporter } from "../reporter.js";
import { readService, serviceKeys } from "./read-services.js";
import { readTypeDeclaration, typeKeys } from "./read-types.js";
import { readYaml } from "./read-yaml.js";

const headerKeys = ["webrpc", "name", "version", "basepath"];
const documentKeys = [...headerKeys, "types", "errors", "services"];
const errorKeys = ["code", "name", "message", "httpStatus"];

/**
 * Parses webrpc's JSON form of a schema, in JSON or YAML, into the same tree as
 * RIDL. Spans refer to the JSON or YAML text.
 */
export function readForm(source: Source): Diagnosed<Document> {
  const reporter = new Reporter(source);
  const node = readYaml(reporter);
  const object =
    node && FormObject.read(reporter, node, "the schema", documentKeys);
  const items = object === null ? [] : readItems(object);
  const value = { kind: "document", source, items, comments: [] } as const;
  return { value, diagnostics: reporter.diagnostics };
}

function readItems(object: FormObject): Item[] {
  return [
    ...headerKeys.flatMap((key) => readHeader(object, key)),
    ...object.objects("types", "a type", typeKeys, readTypeDeclaration),
    ...object.objects("errors", "an error", errorKeys, readError),
    ...object.objects("services", "a service", serviceKeys, readService),
  ];
}

/**
 * Reads a header. webrpc's own output contains all headers and leaves unset
 * ones empty.
 */
function readHeader(object: FormObject, key: string): Header[] {
  const value = object.text(key);
  if (value === undefined || value.text === "") return [];
  const { span } = value;
  const word = { text: key, span, isQuoted: false };
  return [
    { kind: "header", span, docs: [], key: word, value: toLiteral(value) },
  ];
}

function readError(object: FormObject): ErrorDeclaration | null {
  const code = object.requireText("code");
  const name = object.requireText("name");
  const message = object.requireText("message");
  if (!code || !name || !message) return null;
  const status = object.text("httpStatus");
  const hasStatus = status !== undefined && status.text !== "0";
  return {
    kind: "error",
    span: object.span,
    docs: [],
    annotations: [],
    code: toName(code),
    name: toName(name),
    message: { ...toName(message), isQuoted: true },
    ...(hasStatus && { status: toName(status) }),
  };
}

import type { Diagnosed } from "../../diagnostics/diagnostic.js";
import type { Source } from "../../source/source.js";
import type { Document, ErrorDeclaration, Header, Item } from "../ast.js";
import type { FormNode } from "./form-node.js";
import { FormObject, toLiteral, toName } from "./form-object.js";
import { Reporter } from "../reporter.js";
import { readService } from "./read-services.js";
import { readTypeDeclaration } from "./read-types.js";
import { readYaml } from "./read-yaml.js";

const headerKeys = ["webrpc", "name", "version", "basepath"];
const documentKeys = [...headerKeys, "types", "errors", "services"];
const errorKeys = ["code", "name", "message", "httpStatus"];

/**
 * Reads webrpc's JSON form of a schema, also when it is written as YAML, into
 * the same tree as RIDL; places are those of the JSON or YAML text.
 */
export function readForm(source: Source): Diagnosed<Document> {
  const reporter = new Reporter(source);
  const node = readYaml(reporter);
  const object =
    node && FormObject.read(reporter, node, "the schema", documentKeys);
  const items = object === null ? [] : readItems(reporter, object);
  const value = { kind: "document", source, items, comments: [] } as const;
  return { value, diagnostics: reporter.diagnostics };
}

function readItems(reporter: Reporter, object: FormObject): Item[] {
  const present = (item: Item | null): Item[] => (item ? [item] : []);
  return [
    ...headerKeys.flatMap((key) => present(readHeader(object, key))),
    ...object
      .list("types")
      .flatMap((node) => present(readTypeDeclaration(reporter, node))),
    ...object
      .list("errors")
      .flatMap((node) => present(readError(reporter, node))),
    ...object
      .list("services")
      .flatMap((node) => present(readService(reporter, node))),
  ];
}

/** All headers are always there in webrpc's own output, empty when not set. */
function readHeader(object: FormObject, key: string): Header | null {
  const value = object.text(key);
  if (value === undefined || value.text === "") return null;
  const { span } = value;
  const word = { text: key, span, isQuoted: false };
  return { kind: "header", span, docs: [], key: word, value: toLiteral(value) };
}

function readError(
  reporter: Reporter,
  node: FormNode,
): ErrorDeclaration | null {
  const object = FormObject.read(reporter, node, "an error", errorKeys);
  const code = object?.requireText("code");
  const name = object?.requireText("name");
  const message = object?.requireText("message");
  if (!object || !code || !name || !message) return null;
  const status = object.text("httpStatus");
  const declaration = {
    kind: "error",
    span: object.span,
    docs: [],
    annotations: [],
    code: toName(code),
    name: toName(name),
    message: { ...toName(message), isQuoted: true },
  } as const;
  const hasStatus = status !== undefined && status.text !== "0";
  return hasStatus ? { ...declaration, status: toName(status) } : declaration;
}

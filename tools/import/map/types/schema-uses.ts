import type { FormNode } from "../../../../generator/1-parse/form/form-node.js";
import type { DocumentFiles } from "../../read/document-files.js";
import type { DocumentPart } from "../../read/document-part.js";
import { pathsIn } from "../../read/operations.js";
import { propertiesOf } from "./schema-view.js";

/** What a schema is part of. */
export type SchemaUse = "request" | "response";

/** Keywords whose value is a schema, and those with a list of schemas. */
const single = ["items", "additionalProperties", "unevaluatedProperties"];
const listed = ["allOf", "oneOf", "anyOf"];

/** Knows which schemas of a document requests and responses consist of. */
export class SchemaUses {
  readonly #document: DocumentPart;
  readonly #library: DocumentFiles;
  readonly #found = new Map<SchemaUse, ReadonlySet<FormNode>>();

  constructor(document: DocumentPart, library: DocumentFiles) {
    this.#document = document;
    this.#library = library;
  }

  /** Whether a schema is part of a request, or of a response. */
  isIn(schema: DocumentPart, use: SchemaUse): boolean {
    const known = this.#found.get(use) ?? this.#find(use);
    this.#found.set(use, known);
    return known.has(schema.node);
  }

  /** Finds all schemas with a use. Few documents need this. */
  #find(use: SchemaUse): ReadonlySet<FormNode> {
    const found = new Set<FormNode>();
    const paths = pathsIn(this.#document, this.#library);
    const waiting = paths
      .flatMap(({ item, operations }) => [
        item,
        ...operations.map(({ part }) => part),
      ])
      .flatMap((owner) => this.#bodiesOf(owner, use))
      .flatMap((body) => this.#library.resolve(body) ?? []);
    const left = waiting.flatMap((body) => schemasIn(body));
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      if (found.has(next.node)) continue;
      found.add(next.node);
      left.push(...this.#parts(next));
    }
    return found;
  }

  #bodiesOf(operation: DocumentPart, use: SchemaUse): readonly DocumentPart[] {
    if (use === "response") {
      const responses = operation.get("responses")?.entries() ?? [];
      return responses.filter(({ key }) => !key.startsWith("x-"));
    }
    const body = operation.get("requestBody");
    const parameters = operation.get("parameters")?.items() ?? [];
    return body === null ? parameters : [body, ...parameters];
  }

  /** Returns the schemas that a schema consists of, and what it refers to. */
  #parts(schema: DocumentPart): readonly DocumentPart[] {
    const target = this.#library.resolve(schema);
    return [
      ...(target === null ? [] : [target]),
      ...propertiesOf(schema, this.#library),
      ...single.flatMap((key) => schema.get(key) ?? []),
      ...listed.flatMap((key) => schema.get(key)?.items() ?? []),
    ];
  }
}

/** Returns the schemas of a parameter, a body, or a response. */
function schemasIn(owner: DocumentPart): readonly DocumentPart[] {
  const content = owner.get("content")?.entries() ?? [];
  return [owner, ...content].flatMap((part) =>
    ["schema", "itemSchema"].flatMap((key) => part.get(key) ?? []),
  );
}

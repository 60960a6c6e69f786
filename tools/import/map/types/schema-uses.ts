import type { DocumentFiles } from "../../read/document-files.js";
import type { DocumentPart } from "../../read/document-part.js";
import { pathsIn } from "../../read/operations.js";
import { singleReference } from "./references.js";
import { propertiesOf } from "./schema-view.js";
import { isNullableCopy } from "./subtypes.js";

/** What a schema is part of. */
export type SchemaUse = "request" | "response";

/** Keywords whose value is a schema, and those with a list of schemas. */
const single = ["items", "additionalProperties", "unevaluatedProperties"];
const listed = ["oneOf", "anyOf"];

/** A schema on the way to what it consists of. */
interface Visit {
  readonly schema: DocumentPart;
  /** Whether another schema extends it, whose values it does not have. */
  readonly isExtended: boolean;
}

/** Knows which schemas of a document requests and responses consist of. */
export class SchemaUses {
  readonly #document: DocumentPart;
  readonly #library: DocumentFiles;
  readonly #found = new Map<SchemaUse, ReadonlySet<string>>();
  /** The places of originals by those of their copies. */
  readonly #originals = new Map<string, string>();

  readonly #variantsOf: (schema: DocumentPart) => readonly DocumentPart[];

  /** `variantsOf` returns the schemas that values of a schema with subtypes have. */
  constructor(
    document: DocumentPart,
    library: DocumentFiles,
    variantsOf: (schema: DocumentPart) => readonly DocumentPart[],
  ) {
    this.#document = document;
    this.#library = library;
    this.#variantsOf = variantsOf;
  }

  /** Whether a schema is part of a request, or of a response. */
  isIn(schema: DocumentPart, use: SchemaUse): boolean {
    const known = this.#found.get(use) ?? this.#find(use);
    this.#found.set(use, known);
    return known.has(this.#placeOf(schema));
  }

  /** Keeps where a schema is in the document that the import wrote elsewhere. */
  addCopy(copy: DocumentPart, original: DocumentPart): void {
    this.#originals.set(copy.id, original.id);
  }

  #placeOf({ id }: DocumentPart): string {
    for (const [copy, original] of this.#originals) {
      if (id === copy || id.startsWith(`${copy}/`)) {
        return original + id.slice(copy.length);
      }
    }
    return id;
  }

  /** Finds all schemas with a use. Few documents need this. */
  #find(use: SchemaUse): ReadonlySet<string> {
    // Nodes do not identify schemas: aliases in YAML have the same node.
    const found = new Set<string>();
    const paths = pathsIn(this.#document, this.#library);
    const waiting = paths
      .flatMap(({ item, operations }) => [
        item,
        ...operations.map(({ part }) => part),
      ])
      .flatMap((owner) => this.#bodiesOf(owner, use))
      .flatMap((body) => this.#library.resolve(body) ?? []);
    const left = waiting.flatMap(schemasIn).map(whole);
    const extended = new Set<string>();
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const { id } = next.schema;
      const isSeen = found.has(id) && !extended.has(id);
      if (isSeen || (next.isExtended && extended.has(id))) continue;
      found.add(id);
      if (next.isExtended) extended.add(id);
      else extended.delete(id);
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
  #parts({ isExtended, schema }: Visit): readonly Visit[] {
    const targets = this.#library.hopsFrom(schema)?.slice(1) ?? [];
    const layers = schema.get("allOf")?.items() ?? [];
    const isCopy = !schema.isSharedSchema || isNullableCopy(schema);
    const isReference = isCopy && singleReference(schema) !== null;
    return [
      ...targets.map((each) => ({ schema: each, isExtended })),
      ...layers.map((each) => ({
        schema: each,
        isExtended: isExtended || !isReference,
      })),
      ...[
        ...(isExtended ? [] : this.#variantsOf(schema)),
        ...propertiesOf(schema, this.#library),
        ...single.flatMap((key) => schema.get(key) ?? []),
        ...listed.flatMap((key) => schema.get(key)?.items() ?? []),
      ].map(whole),
    ];
  }
}

function whole(schema: DocumentPart): Visit {
  return { schema, isExtended: false };
}

/** Returns the schemas of a parameter, a body, or a response. */
function schemasIn(owner: DocumentPart): readonly DocumentPart[] {
  const content = owner.get("content")?.entries() ?? [];
  return [owner, ...content].flatMap((part) =>
    ["schema", "itemSchema"].flatMap((key) => part.get(key) ?? []),
  );
}

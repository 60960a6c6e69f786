import type { DocumentPart } from "../../read/document-part.js";
import { namedField } from "./fields.js";
import type { ModelField } from "../../model/model.js";
import { NameScope } from "../../model/names.js";
import type { ModelStruct, Types } from "./types.js";

/**
 * Gives each variant of a union the values of its tag. Returns the name of the
 * tag, or null if there is none: then the variants must differ in their JSON.
 */
export function tagVariants(
  discriminator: DocumentPart | null,
  variants: readonly DocumentPart[],
  names: readonly string[],
  types: Types,
): string | null {
  const structs = names.flatMap((name) => types.structOf(name) ?? []);
  if (structs.length < names.length) return null;
  const wire = discriminator?.textOf("propertyName") ?? commonTag(structs);
  if (wire === null || wire === "") return null;
  if (discriminator === null) return wire;
  const mapping = readMapping(discriminator, types);
  structs.forEach((struct, index) => {
    const part = variants[index];
    const target = part && types.library.resolve(part);
    const known = target && mapping.get(target.id);
    // A variant that is no reference has no name.
    const isNamed =
      target !== null && target !== undefined && target.id !== part?.id;
    const listed = known ?? (isNamed ? [target.key] : []);
    if (listed.length > 0) setTag(struct, wire, listed, discriminator);
  });
  return wire;
}

/** A required field that lists its values in each variant. */
function commonTag([first, ...others]: readonly ModelStruct[]): string | null {
  const listed = (first?.body.fields ?? []).filter(isTag);
  const found = listed.find(({ wire }) =>
    others.every(({ body }) =>
      body.fields.some((field) => field.wire === wire && isTag(field)),
    ),
  );
  return found?.wire ?? null;
}

function isTag({ metadata, isOptional }: ModelField): boolean {
  return !isOptional && metadata.some(({ key }) => key === "enum");
}

/** Returns the tags of each schema by its place. */
function readMapping(
  discriminator: DocumentPart,
  types: Types,
): ReadonlyMap<string, readonly string[]> {
  const mapping = new Map<string, string[]>();
  for (const entry of discriminator.get("mapping")?.entries() ?? []) {
    const target = types.library.follow(entry);
    if (target === null) continue;
    mapping.set(target.id, [...(mapping.get(target.id) ?? []), entry.key]);
  }
  return mapping;
}

/** Sets the values of a tag that is a string without values. */
function setTag(
  struct: ModelStruct,
  wire: string,
  values: readonly string[],
  part: DocumentPart,
): void {
  const { fields } = struct.body;
  const at = fields.findIndex((field) => field.wire === wire);
  const field = fields[at];
  const list = { key: "enum", value: values.join("|") };
  if (field === undefined) {
    const named = namedField(wire, new NameScope());
    struct.body.fields = [
      {
        ...named,
        type: "string",
        metadata: [...named.metadata, list],
        isOptional: false,
        docs: [],
        part,
      },
      ...fields,
    ];
    return;
  }
  const isListed = field.metadata.some(({ key }) => key === "enum");
  // A closed list of another type stays, and the check of unions decides.
  const metadata =
    isListed || field.type !== "string"
      ? field.metadata
      : [...field.metadata.filter(({ key }) => key !== "example"), list];
  const tag = { ...field, metadata, isOptional: false };
  struct.body.fields = fields.with(at, tag);
}

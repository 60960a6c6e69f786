import { parametersIn } from "../../../generator/ir/path-template.js";
import type { DocumentPart } from "../read/document-part.js";
import { type NameScope, toFieldName } from "../model/names.js";
import type { CredentialMapper } from "./credentials.js";
import { mapParameters, type MappedParameter } from "./parameters.js";
import type { Types } from "./types/types.js";

/** An operation, and how the names of its types begin. */
interface HintedOperation {
  readonly part: DocumentPart;
  readonly path: DocumentPart;
  /** In lower case. */
  readonly verb: string;
  readonly hint: string;
}

/** Maps parameters, and those that a path has but nothing declares. */
export function findParameters(
  { part, path, hint, verb }: HintedOperation,
  names: NameScope,
  types: Types,
  credentials: CredentialMapper,
): readonly MappedParameter[] {
  const item = types.library.resolve(path);
  const lists = [item?.get("parameters") ?? null, part.get("parameters")];
  const all = mapParameters(lists, hint, names, types, {
    verb,
    isCredential: (place, name) => credentials.isCredential(place, name),
  });
  const declared = all.filter(
    ({ place, name: known }) =>
      place !== "path" || parametersIn(path.key).includes(known),
  );
  for (const lost of all.filter((each) => !declared.includes(each))) {
    const message = `the path has no parameter \`${lost.name}\``;
    types.notes.add("wire", lost.field.part, message, "it is left out");
  }
  const missing = parametersIn(path.key).filter(
    (known) =>
      !declared.some((each) => each.place === "path" && each.name === known),
  );
  return [
    ...declared,
    ...missing.map((wire): MappedParameter => ({
      place: "path",
      name: wire,
      isJoined: false,
      field: {
        name: names.take(toFieldName(wire)),
        wire,
        type: "string",
        metadata: [],
        isOptional: false,
        docs: [],
        part: path,
      },
    })),
  ];
}

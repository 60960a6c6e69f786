import type { Message, Method, TypeReference } from "../../../ir/contract.js";

/** Fields of a message that are files; aliases of `file` do not exist. */
export interface FileFields {
  readonly files: readonly string[];
  /** Fields that are lists of files. */
  readonly fileLists: readonly string[];
}

/** By their names on the wire. */
export function fileFields({ fields }: Message): FileFields {
  const namesOf = (chosen: Message["fields"]): readonly string[] =>
    chosen.map(({ jsonName }) => jsonName);
  return {
    files: namesOf(fields.filter(({ type }) => isFile(type))),
    fileLists: namesOf(
      fields.filter(({ type }) => type.kind === "list" && isFile(type.element)),
    ),
  };
}

function isFile(type: TypeReference): boolean {
  return type.kind === "scalar" && type.name === "file";
}

function isFileOrList(type: TypeReference): boolean {
  return isFile(type) || (type.kind === "list" && isFile(type.element));
}

/** What the runtime has a method for: one answer, many, or files. */
export function kindOfCall(method: Method): "call" | "stream" | "transfer" {
  const { request, response } = method;
  if (response.isStream) return "stream";
  const hasFile = [request, response].some(({ fields }) =>
    fields.some(({ type }) => isFileOrList(type)),
  );
  return hasFile ? "transfer" : "call";
}

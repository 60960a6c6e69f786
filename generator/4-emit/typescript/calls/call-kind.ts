import type { Message, Method } from "../../../ir/contract.js";

/** Fields of a message that are files; aliases of `file` do not exist. */
export interface FileFields {
  readonly files: readonly string[];
  /** Fields that are lists of files. */
  readonly fileLists: readonly string[];
}

/** By their names on the wire. */
export function fileFields({ fields }: Message): FileFields {
  const isFile = (type: Message["fields"][number]["type"]): boolean =>
    type.kind === "scalar" && type.name === "file";
  const namesOf = (chosen: Message["fields"]): readonly string[] =>
    chosen.map(({ jsonName }) => jsonName);
  return {
    files: namesOf(fields.filter(({ type }) => isFile(type))),
    fileLists: namesOf(
      fields.filter(({ type }) => type.kind === "list" && isFile(type.element)),
    ),
  };
}

/** What the runtime has a method for: one answer, many, or files. */
export function kindOfCall(method: Method): "call" | "stream" | "transfer" {
  const { request, response } = method;
  if (response.isStream) return "stream";
  const hasFile = [request, response].some((message) => {
    const { fileLists, files } = fileFields(message);
    return files.length + fileLists.length > 0;
  });
  return hasFile ? "transfer" : "call";
}

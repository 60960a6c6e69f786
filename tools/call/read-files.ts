import type { MessagePlan } from "../../generator/4-emit/typescript/plan/plan.js";
import type { FormFile } from "../test/drawn-request.js";
import { CallFault } from "./call-fault.js";
import type { WrittenFields } from "./read-request.js";

/**
 * Lists the files of a request. In the request, each is a path, with or without
 * a leading `@`, that `;type=image/png` can follow, as in curl.
 *
 * Errors: a {@link CallFault} for a field that is not a path.
 */
export function filesIn(
  request: WrittenFields,
  { fileLists, files }: MessagePlan,
): readonly FormFile[] {
  return [...files, ...fileLists].flatMap((field) => {
    const value = request[field];
    if (value === undefined || value === null) return [];
    const paths: readonly unknown[] =
      fileLists.includes(field) && Array.isArray(value) ? value : [value];
    return paths.map((path) => toFile(field, path));
  });
}

function toFile(field: string, value: unknown): FormFile {
  if (typeof value !== "string" || value === "") {
    throw new CallFault(
      `\`${field}\` is not the path of a file`,
      `write it like \`${field}=@picture.png\``,
    );
  }
  const [, path = value, type = ""] =
    /^(.+?)(?:;type=([\w.+-]+\/[\w.+-]+))?$/su.exec(value.replace(/^@/u, "")) ??
    [];
  return { field, path, type };
}

/** Replaces the paths in a request by the contents of the files. */
export function withFiles(
  request: WrittenFields,
  { fileLists }: MessagePlan,
  files: readonly FormFile[],
  readBytes: (path: string) => Uint8Array<ArrayBuffer>,
): WrittenFields {
  const contents = new Map<string, File[]>();
  for (const { field, path, type } of files) {
    const file = new File([readBytes(path)], nameOf(path), { type });
    contents.set(field, [...(contents.get(field) ?? []), file]);
  }
  const fields = Array.from(contents, ([field, sent]) => [
    field,
    fileLists.includes(field) ? sent : sent[0],
  ]);
  return { ...request, ...Object.fromEntries(fields) };
}

function nameOf(path: string): string {
  return path.slice(
    Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1,
  );
}

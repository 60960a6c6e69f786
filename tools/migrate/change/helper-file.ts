import files from "./files.json" with { type: "json" };

/** A file that migrated code imports. It belongs to the project. */
export interface HelperFile {
  /** Name without extension. */
  readonly name: string;
  /** A function that it exports, by which the command recognizes the file. */
  readonly exported: string;
  readonly text: string;
}

/** The module of the runtime in the sources of these files. */
export const runtimeEntry = "@ridlkit/runtime/client";

/**
 * Returns a file of the folder `files`. `modules` are those that its imports name
 * in a project, by the ones in its source.
 */
export function helperFile(
  path: keyof typeof files,
  exported: string,
  modules: Readonly<Record<string, string>> = {},
): HelperFile {
  const text = Object.entries(modules).reduce(
    (before, [from, to]) =>
      before.replace(`from "${from}"`, () => `from ${JSON.stringify(to)}`),
    files[path],
  );
  return { name: path.replaceAll(/^.*\/|\.ts$/gu, ""), exported, text };
}

/** A module that can be imported from a package. */
export interface EntryPoint {
  /** The key in the `exports` of package.json, e.g. `.` or `./marketplace`. */
  readonly subpath: string;
  /** Path of the code without an extension, e.g. `dist/index`. */
  readonly file: string;
}

/**
 * Lists the entry points of a package, the root first. `files` have no
 * extensions.
 */
export function listEntryPoints(
  files: readonly string[],
): readonly EntryPoint[] {
  return files
    .map((name) => {
      const folder = name.replace(/(?:^|\/)index$/u, "");
      // A host's folder can have the same name as a file next to it, e.g.
      // `schemas`.
      const subpath = files.includes(folder) ? name : folder;
      return {
        subpath: subpath === "" ? "." : `./${subpath}`,
        file: `dist/${name}`,
      };
    })
    .sort((left, right) => (left.subpath < right.subpath ? -1 : 1));
}

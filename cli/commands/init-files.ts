import { posix } from "node:path/posix";
import { isRecord } from "../../generator/ir/is-record.js";
import { parseRecord } from "../project/manifest.js";
import { packagePlaces } from "../project/packages.js";
import { readBelow } from "../project/runtime-sources.js";
import { type AbsolutePath, resolvePath } from "../system/paths.js";
import { FileError, type System, UsageError } from "../system/system.js";

/** A file of a new project. */
export interface InitialFile {
  readonly path: string;
  readonly text: string;
}

/** The templates of ridlkit, in `templates/init`. */
const templateNames = ["next", "node"] as const;

/** The name of a template of ridlkit. */
export type TemplateName = (typeof templateNames)[number];

/** The folder with the files of new projects. */
interface Scaffold {
  readonly folder: AbsolutePath;
  /** Null for the template of somebody else. */
  readonly name: TemplateName | null;
}

/**
 * Finds the folder with the files of new projects: one of ridlkit's, any other
 * folder, or the folder `template` of an installed package.
 *
 * Input: the name of one of ridlkit's, a path, or the name of a package.
 * Errors: a {@link UsageError} if there is no such folder.
 */
export function findScaffold(template: string, system: System): Scaffold {
  const { packageFolder, workingFolder } = system;
  const name = templateNames.find((each) => each === template) ?? null;
  if (name !== null) {
    const folder = resolvePath(packageFolder, `templates/init/${name}`);
    return { folder, name };
  }
  const named = /^(?:@[\w.~-]+\/)?[\w~-][\w.~-]*$/u.test(template)
    ? [
        ...packagePlaces(template, workingFolder),
        ...packagePlaces(template, packageFolder),
      ].map((place) => resolvePath(place, "template"))
    : [];
  const places = [resolvePath(workingFolder, template), ...named];
  const folder = places.find((place) => system.listFolder(place) !== null);
  if (folder !== undefined) return { folder, name };
  const names = templateNames.map((each) => `\`${each}\``).join(" and ");
  throw new UsageError(
    `there is no folder and no installed package \`${template}\``,
    named.length === 0
      ? "write the path of a folder, as in `--template ../our-template`"
      : `install the package first: \`npm install --no-save ${template}\`; ridlkit's own templates are ${names}`,
  );
}

/**
 * Reads the files of a new project. `_gitignore` and `_npmrc` are written with
 * a dot instead, because npm leaves `.gitignore` and `.npmrc` out of packages.
 * Links are skipped, because they could lead out of the folder.
 *
 * Input: the folder of the files, and the name and version for `package.json`.
 * Errors: a {@link FileError} for a file that is not text.
 */
export function readScaffold(
  folder: AbsolutePath,
  name: string,
  system: System,
): readonly InitialFile[] {
  const files = readBelow(system, folder, /./u, skipped);
  return [...files]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .filter(([path]) => !isLinked(folder, path, system))
    .map(([path, text]) => {
      if (/[\0\ufffd]/u.test(text)) {
        const fault = new Error("it is not a UTF-8 text file");
        throw new FileError(resolvePath(folder, path), "read", fault);
      }
      const shown = path.replace(/(^|\/)_(?=(?:gitignore|npmrc)$)/u, "$1.");
      return {
        path: shown,
        text: shown === "package.json" ? namePackage(text, name, system) : text,
      };
    });
}

/** Folders that a template can contain after somebody tried it. */
const skipped: ReadonlySet<string> = new Set([".git", "node_modules"]);

function isLinked(folder: AbsolutePath, path: string, system: System): boolean {
  return (
    path !== "." &&
    (system.isLink(resolvePath(folder, path)) ||
      isLinked(folder, posix.dirname(path), system))
  );
}

/**
 * Sets the name in a package.json, and replaces the version `*` of ridlkit's
 * packages by the current one.
 */
function namePackage(text: string, name: string, { version }: System): string {
  const data = parseRecord(text);
  if (data === null) return text;
  const entries = Object.entries({ ...data, name }).map(([key, value]) => [
    key,
    /dependencies$/iu.test(key) && isRecord(value)
      ? Object.fromEntries(
          Object.entries(value).map(([each, range]) => [
            each,
            ours.has(each) && range === "*" ? `^${version}` : range,
          ]),
        )
      : value,
  ]);
  return `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`;
}

const ours: ReadonlySet<string> = new Set(["@ridlkit/runtime", "ridlkit"]);

import { posix } from "node:path/posix";
import type { TemplateSet } from "../../4-emit/emitter/emitter.js";
import {
  isOwnSet,
  isSetFile,
  nameOfTemplate,
  ownFiles,
  ownSets,
  readOwnSet,
  readTemplateSet,
} from "../../4-emit/templates/template-set.js";
import type { Diagnosed, Diagnostic } from "../../diagnostics/diagnostic.js";
import { suggestHelp } from "../../diagnostics/suggest.js";
import type { Source } from "../../source/source.js";
import {
  type Config,
  type EmitterModule,
  type TemplateFolder,
  isTemplateFolder,
} from "../config/config.js";
import { hashText } from "./manifest.js";
import type { RecordingReader } from "./recording-reader.js";

/**
 * Reads and checks the template set in a folder that `emit` lists.
 * Errors: `missing-template`, `file-access`, and those of `readTemplateSet`.
 */
export function readListedSet(
  { location, options, path }: EmitterModule,
  reader: RecordingReader,
): Diagnosed<TemplateSet | null> {
  const { value: sources, diagnostics } = readFiles(
    { location, path },
    reader,
    isSetFile,
  );
  if (diagnostics.length > 0) return { value: null, diagnostics };
  const hasFiles = [...sources.keys()].some((name) => /^files\//u.test(name));
  if (!hasFiles) {
    const diagnostic: Diagnostic = {
      code: "missing-template",
      severity: "error",
      message: `\`${path}\` is no folder with templates`,
      location,
      help: "put a template such as `files/schema.sql.hbs` into the folder, or name a module that ends in `.js`",
    };
    return { value: null, diagnostics: [diagnostic] };
  }
  const [unknown] = Object.entries(options).filter(
    ([key, value]) =>
      !["name", "version"].includes(key) ||
      typeof value !== "string" ||
      value === "",
  );
  if (unknown !== undefined) {
    const diagnostic: Diagnostic = {
      code: "invalid-config-value",
      severity: "error",
      message: `\`${path}\` has no setting \`${unknown[0]}\` with this value`,
      location,
      help: "a folder with templates has the settings `name` and `version`, which are text",
    };
    return { value: null, diagnostics: [diagnostic] };
  }
  return readTemplateSet(sources);
}

/**
 * Reads and checks the templates that replace ridlkit's own. Returns the sets
 * that have replacements, by name.
 * Errors: `missing-template`, `file-access`, `unknown-template-name`,
 * `outdated-template`, and those of `readTemplateSet`.
 */
export function readReplacedSets(
  { templates }: Pick<Config, "templates">,
  reader: RecordingReader,
): Diagnosed<ReadonlyMap<string, TemplateSet>> {
  const sets = new Map<string, TemplateSet>();
  if (templates === null) return { value: sets, diagnostics: [] };
  const { location, path } = templates;
  const { value: all, diagnostics: unreadable } = readFiles(
    templates,
    reader,
    (file) => isSetFile(file.replace(/^[^/]*\//u, "")),
  );
  if (unreadable.length > 0) return { value: sets, diagnostics: unreadable };
  if (all.size === 0) {
    const message = `there are no templates in \`${path}\``;
    const help =
      "start with a copy: `ridl template copy markdown method`, or remove the setting";
    const missing: Diagnostic = {
      code: "missing-template",
      severity: "error",
      message,
      location,
      help,
    };
    return { value: sets, diagnostics: [missing] };
  }
  const bySet = new Map<string, Map<string, Source>>();
  for (const [file, source] of all) {
    const [set = "", ...rest] = file.split("/");
    const known = bySet.get(set) ?? new Map<string, Source>();
    bySet.set(set, known.set(rest.join("/"), source));
  }
  const diagnostics = [...bySet].flatMap(([set, replacements]) => {
    if (!isOwnSet(set)) {
      const unknown: Diagnostic = {
        code: "unknown-template-name",
        severity: "error",
        message: `ridlkit has no template set \`${nameOfTemplate(set)}\`, which \`${path}\` contains`,
        location,
        notes: [
          `the sets are ${ownSets.map((each) => `\`${each}\``).join(", ")}`,
        ],
        ...suggestHelp(set, ownSets),
      };
      return [unknown];
    }
    const read = readOwnSet(set, replacements);
    if (read.value !== null) sets.set(set, read.value);
    return [...read.diagnostics, ...findOutdated(ownFiles(set), replacements)];
  });
  return { value: sets, diagnostics };
}

/**
 * Reads the files of template sets below a folder, by their paths. The reader
 * records the folders as well, so that a run notices new files.
 * Errors: `file-access`.
 */
function readFiles(
  { location, path: given }: TemplateFolder,
  reader: RecordingReader,
  isNeeded: (path: string) => boolean,
): Diagnosed<ReadonlyMap<string, Source>> {
  const root = posix.normalize(given);
  const value = new Map<string, Source>();
  const diagnostics: Diagnostic[] = [];
  const folders = [""];
  // The list grows during the iteration.
  for (const folder of folders) {
    const listed = reader.read(`${posix.join(root, folder)}/`) ?? "";
    for (const entry of listed.split("\n")) {
      if (entry.endsWith("/")) folders.push(folder + entry);
      if (/\/$|^$/u.test(entry) || !isNeeded(folder + entry)) continue;
      const path = posix.join(root, folder, entry);
      const text = reader.read(path);
      const fault = reader.faultOf(path);
      if (text !== null) value.set(folder + entry, { path, text });
      else if (fault !== null) {
        const message = `\`${path}\` cannot be read: ${fault}`;
        const code = "file-access";
        diagnostics.push({ code, severity: "error", message, location });
      }
    }
  }
  return { value, diagnostics };
}

/** Returns the first line of a copy, which notes what was copied. */
export function noteOf(text: string): string {
  return `{{!-- A copy of ridlkit's template ${hashOf(text)} --}}\n`;
}

function hashOf(text: string): string {
  return hashText(text).slice(0, 12);
}

/** Finds copies of templates that have changed since. */
function findOutdated(
  own: ReadonlyMap<string, Source>,
  copies: ReadonlyMap<string, Source>,
): readonly Diagnostic[] {
  return [...copies].flatMap(([file, source]): readonly Diagnostic[] => {
    const name = nameOfTemplate(file);
    const note = /^\{\{!-- A copy of ridlkit's template ([0-9a-f]+) --\}\}/u;
    const [line, hash] = note.exec(source.text) ?? [];
    const current = own.get(file);
    if (line === undefined) return [];
    if (current !== undefined && hashOf(current.text) === hash) return [];
    return [
      {
        code: "outdated-template",
        severity: "warning",
        message:
          current === undefined
            ? `ridlkit no longer has the template \`${name}\` that this is a copy of`
            : `ridlkit's template \`${name}\` changed since it was copied`,
        location: { source, span: { start: 0, end: line.length } },
        help:
          current === undefined
            ? "remove this line if the template is still useful"
            : `compare the two, and replace this line with \`${noteOf(current.text).trim()}\``,
      },
    ];
  });
}

/** Checks all templates of a project, without running anything. */
export function checkProjectTemplates(
  config: Config,
  reader: RecordingReader,
): readonly Diagnostic[] {
  return [
    ...readReplacedSets(config, reader).diagnostics,
    ...config.emitterModules
      .filter(isTemplateFolder)
      .flatMap((module) => readListedSet(module, reader).diagnostics),
  ];
}

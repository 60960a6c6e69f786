import { posix } from "node:path/posix";
import type { TemplateSet } from "../../4-emit/emitter/emitter.js";
import type { EditedSet } from "../../4-emit/templates/edited-set.js";
import {
  isOwnSet,
  ownSets,
  ownTemplates,
  readOwnSet,
  readTemplateSet,
  recordOf,
} from "../../4-emit/templates/template-set.js";
import type { Diagnosed, Diagnostic } from "../../diagnostics/diagnostic.js";
import { suggestHelp } from "../../diagnostics/suggest.js";
import type { Source } from "../../source/source.js";
import {
  type Config,
  type EmitterModule,
  isPath,
  isTemplateFolder,
} from "../config/config.js";
import { targetNames } from "../config/to-config.js";
import { hashText } from "./manifest.js";
import type { RecordingReader } from "./recording-reader.js";

/** Extension of templates. */
export const templateExtension = ".hbs";

/**
 * Reads and checks a template set that `emit` lists.
 * Errors: `missing-template`, and those of `readTemplateSet`.
 */
export function readListedSet(
  module: EmitterModule,
  reader: RecordingReader,
): Diagnosed<TemplateSet | null> {
  const { location, name, options, path } = module;
  const sources = readTemplates(posix.normalize(path), reader);
  const hasFiles = [...sources.keys()].some((each) => /^files\//u.test(each));
  if (!hasFiles) {
    const diagnostic: Diagnostic = {
      severity: "error",
      location,
      ...explainMissing(module, reader),
    };
    return { value: null, diagnostics: [diagnostic] };
  }
  if (Object.keys(options).length > 0) {
    const diagnostic: Diagnostic = {
      code: "invalid-config-value",
      severity: "error",
      message: `\`${name}\` is a folder with templates, which has no settings`,
      location,
      help: "remove them",
    };
    return { value: null, diagnostics: [diagnostic] };
  }
  return readTemplateSet(sources);
}

/** Explains why an entry of `emit` names no set of templates. */
function explainMissing(
  { name, path }: EmitterModule,
  reader: RecordingReader,
): Pick<Diagnostic, "code" | "help" | "message"> {
  if (isPath(name)) {
    return {
      code: "missing-template",
      message: `\`${name}\` is no folder with templates`,
      help: "put a template such as `files/schema.sql.hbs` into the folder, or name a module that ends in `.js`",
    };
  }
  const isInstalled = reader.read(`${posix.dirname(path)}/`) !== null;
  if (isInstalled) {
    return {
      code: "missing-template",
      message: `the package \`${name}\` has no templates in its folder \`templates/files\``,
      help: `to run an emitter of the package, write its path, as in \`./${posix.dirname(path)}/emitter.js\``,
    };
  }
  return {
    code: "missing-template",
    message: `there is no target \`${name}\`, and no package with this name is installed`,
    help: `install the package: \`npm install --save-dev ${name}\``,
    ...suggestHelp(name, targetNames),
  };
}

/**
 * Reads and checks the templates that replace ridlkit's own. Returns the sets
 * that have replacements, by name.
 * Errors: `missing-template`, `unknown-template-name`, `outdated-template`, and
 * those of `readTemplateSet`.
 */
export function readReplacedSets(
  { templates }: Pick<Config, "templates">,
  reader: RecordingReader,
): Diagnosed<ReadonlyMap<string, TemplateSet>> {
  const sets = new Map<string, TemplateSet>();
  if (templates === null) return { value: sets, diagnostics: [] };
  const { location, path } = templates;
  const all = readTemplates(posix.normalize(path), reader);
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
  const diagnostics = [...groupBySet(all)].flatMap(([set, replacements]) => {
    if (!isOwnSet(set)) {
      const unknown: Diagnostic = {
        code: "unknown-template-name",
        severity: "error",
        message: `ridlkit has no template set \`${set}\`, which \`${path}\` contains`,
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
    return [
      ...read.diagnostics,
      ...findOutdated(ownTemplates(set), replacements),
    ];
  });
  return { value: sets, diagnostics };
}

/** Groups templates by the set whose name their path begins with. */
function groupBySet(
  templates: ReadonlyMap<string, Source>,
): ReadonlyMap<string, ReadonlyMap<string, Source>> {
  const bySet = new Map<string, Map<string, Source>>();
  for (const [name, source] of templates) {
    const [set = "", ...rest] = name.split("/");
    const known = bySet.get(set) ?? new Map<string, Source>();
    bySet.set(set, known.set(rest.join("/"), source));
  }
  return bySet;
}

/**
 * Reads the sets that a project lists, and those of ridlkit's that it replaces a
 * part of, without checking them.
 */
export function readEditedSets(
  { emitterModules, templates }: Config,
  reader: RecordingReader,
): readonly EditedSet[] {
  const listed = emitterModules
    .filter(isTemplateFolder)
    .map(({ path }): EditedSet => ({
      sources: readTemplates(posix.normalize(path), reader),
      record: null,
    }));
  if (templates === null) return listed;
  const all = readTemplates(posix.normalize(templates.path), reader);
  const replaced = [...groupBySet(all)].flatMap(
    ([set, sources]): readonly EditedSet[] =>
      isOwnSet(set)
        ? [
            {
              sources: new Map([...ownTemplates(set), ...sources]),
              record: recordOf(set),
            },
          ]
        : [],
  );
  return [...listed, ...replaced];
}

/**
 * Reads the templates below a folder, by their paths without the extension. The
 * reader records the folders as well, so that a run notices new files.
 */
function readTemplates(
  root: string,
  reader: RecordingReader,
): ReadonlyMap<string, Source> {
  const found = new Map<string, Source>();
  const folders = [""];
  // The list grows during the iteration.
  for (const folder of folders) {
    const listed = reader.read(`${posix.join(root, folder)}/`) ?? "";
    for (const entry of listed.split("\n")) {
      if (entry.endsWith("/")) folders.push(folder + entry);
      if (!entry.endsWith(templateExtension)) continue;
      const path = posix.join(root, folder, entry);
      const text = reader.read(path);
      if (text === null) continue;
      const name = folder + entry.slice(0, -templateExtension.length);
      found.set(name, { path, text });
    }
  }
  return found;
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
  return [...copies].flatMap(([name, source]): readonly Diagnostic[] => {
    const note = /^\{\{!-- A copy of ridlkit's template ([0-9a-f]+) --\}\}/u;
    const [line, hash] = note.exec(source.text) ?? [];
    const current = own.get(name);
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

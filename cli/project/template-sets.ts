import { posix } from "node:path/posix";
import type { TemplateSet } from "../../generator/4-emit/emitter/emitter.js";
import type { EditedSet } from "../../generator/4-emit/templates/edited-set.js";
import type { OwnSets } from "../../generator/4-emit/templates/own-sets.js";
import {
  isSetFile,
  nameOfTemplate,
  ownFiles,
  readOwnSet,
  readTemplateSet,
  recordOf,
} from "../../generator/4-emit/templates/template-set.js";
import type {
  Diagnosed,
  Diagnostic,
} from "../../generator/diagnostics/diagnostic.js";
import { suggestHelp } from "../../generator/diagnostics/suggest.js";
import type { Source } from "../../generator/source/source.js";
import {
  type Config,
  type EmitterModule,
  type TemplateFolder,
  isPath,
  isTemplateFolder,
} from "../config/config.js";
import { targetNames } from "../config/to-config.js";
import { hashText } from "./manifest.js";
import type { RecordingReader } from "./recording-reader.js";

/**
 * Reads and checks a template set that `emit` lists, with the files that replace
 * some of a package.
 * Errors: `missing-template`, `file-access`, `outdated-template`, and those of
 * `readTemplateSet`.
 */
export function readListedSet(
  module: EmitterModule,
  { templates }: Pick<Config, "templates">,
  reader: RecordingReader,
): Diagnosed<TemplateSet | null> {
  const { location, name, options } = module;
  const own = readFiles(module, reader, isSetFile);
  const replaced = readReplacementsOf(module, templates, reader);
  const diagnostics = [...own.diagnostics, ...replaced.diagnostics];
  if (diagnostics.length > 0) return { value: null, diagnostics };
  const sources = new Map([...own.value, ...replaced.value]);
  const hasFiles = [...sources.keys()].some((each) => /^files\//u.test(each));
  if (!hasFiles) {
    const diagnostic: Diagnostic = {
      severity: "error",
      location,
      ...explainMissing(module, reader),
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
      message: `\`${name}\` has no setting \`${unknown[0]}\` with this value`,
      location,
      help: "a set of templates has the settings `name` and `version`, which are text",
    };
    return { value: null, diagnostics: [diagnostic] };
  }
  const read = readTemplateSet(sources);
  const outdated = findOutdated(own.value, replaced.value);
  return { ...read, diagnostics: [...read.diagnostics, ...outdated] };
}

/** Reads the files in the folder of templates that replace some of a package. */
function readReplacementsOf(
  { name }: EmitterModule,
  templates: TemplateFolder | null,
  reader: RecordingReader,
): Diagnosed<ReadonlyMap<string, Source>> {
  if (templates === null || isPath(name))
    return { value: new Map(), diagnostics: [] };
  const path = posix.join(templates.path, name);
  return readFiles({ ...templates, path }, reader, isSetFile);
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
 * Errors: `missing-template`, `file-access`, `unknown-template-name`,
 * `outdated-template`, and those of `readTemplateSet`.
 */
export function readReplacedSets(
  { emitterModules, templates }: Pick<Config, "emitterModules" | "templates">,
  reader: RecordingReader,
  ownSets: OwnSets,
): Diagnosed<ReadonlyMap<string, TemplateSet>> {
  const sets = new Map<string, TemplateSet>();
  if (templates === null) return { value: sets, diagnostics: [] };
  const { location, path } = templates;
  const { value: all, diagnostics: unreadable } = readReplacements(
    templates,
    reader,
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
  const listed = emitterModules.map(({ name }) => name);
  const names = [...ownSets.keys(), ...listed.filter((each) => !isPath(each))];
  const diagnostics = [...groupBySet(all)].flatMap(([name, replacements]) => {
    // Those of packages are read with the packages.
    if (listed.includes(name)) return [];
    const set = ownSets.get(name);
    if (set === undefined) {
      const unknown: Diagnostic = {
        code: "unknown-template-name",
        severity: "error",
        message: `ridlkit has no template set \`${nameOfTemplate(name)}\`, which \`${path}\` contains`,
        location,
        notes: [
          `the sets are ${names.map((each) => `\`${each}\``).join(", ")}`,
        ],
        ...suggestHelp(name, names),
      };
      return [unknown];
    }
    const read = readOwnSet(set, replacements);
    if (read.value !== null) sets.set(name, read.value);
    return [...read.diagnostics, ...findOutdated(ownFiles(set), replacements)];
  });
  return { value: sets, diagnostics };
}

/** Reads the files in the folder that replaces parts of ridlkit's sets. */
function readReplacements(
  templates: TemplateFolder,
  reader: RecordingReader,
): Diagnosed<ReadonlyMap<string, Source>> {
  return readFiles(templates, reader, (file) =>
    isSetFile(splitSet(file)[1] || file),
  );
}

/** Groups files by the set whose name their path begins with. */
function groupBySet(
  files: ReadonlyMap<string, Source>,
): ReadonlyMap<string, ReadonlyMap<string, Source>> {
  const bySet = new Map<string, Map<string, Source>>();
  for (const [file, source] of files) {
    const [set, path] = splitSet(file);
    const known = bySet.get(set) ?? new Map<string, Source>();
    bySet.set(set, known.set(path, source));
  }
  return bySet;
}

/** Splits a path into the name of a set, such as `@acme/sql`, and the rest. */
function splitSet(file: string): readonly [set: string, path: string] {
  const [, set = "", path = ""] =
    /^((?:@[^/]*\/)?[^/]*)\/?(.*)$/su.exec(file) ?? [];
  return [set, path];
}

/**
 * Reads the sets that a project lists, and those of ridlkit's that it replaces a
 * part of, without checking them.
 */
export function readEditedSets(
  { emitterModules, templates }: Config,
  reader: RecordingReader,
  ownSets: OwnSets,
): readonly EditedSet[] {
  const listed = emitterModules
    .filter(isTemplateFolder)
    .map((module): EditedSet => ({
      sources: new Map([
        ...readFiles(module, reader, isSetFile).value,
        ...readReplacementsOf(module, templates, reader).value,
      ]),
      record: null,
    }));
  if (templates === null) return listed;
  const all = readReplacements(templates, reader).value;
  const replaced = [...groupBySet(all)].flatMap(
    ([name, sources]): readonly EditedSet[] => {
      const set = ownSets.get(name);
      if (set === undefined) return [];
      const all = new Map([...ownFiles(set), ...sources]);
      return [{ sources: all, record: recordOf(set) }];
    },
  );
  return [...listed, ...replaced];
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

/** Returns the files of a package with templates that `emit` lists, by path. */
export function filesOfListed(
  module: EmitterModule,
  reader: RecordingReader,
): ReadonlyMap<string, Source> {
  return readFiles(module, reader, isSetFile).value;
}

/** Checks all templates of a project, without running anything. */
export function checkProjectTemplates(
  config: Config,
  reader: RecordingReader,
  ownSets: OwnSets,
): readonly Diagnostic[] {
  return [
    ...readReplacedSets(config, reader, ownSets).diagnostics,
    ...config.emitterModules
      .filter(isTemplateFolder)
      .flatMap((module) => readListedSet(module, config, reader).diagnostics),
  ];
}

import type { Diagnosed, Diagnostic } from "../../diagnostics/diagnostic.js";
import { invariant } from "../../ir/invariant.js";
import { rememberEach } from "../../ir/remember.js";
import type { Contract } from "../../ir/contract.js";
import type { Source } from "../../source/source.js";
import type {
  EmitContext,
  OutputFile,
  SetFile,
  TemplateSet,
} from "../emitter/emitter.js";
import { pathInHost } from "../names/host-folders.js";
import {
  createContractView,
  createHostView,
  type ViewOptions,
} from "../view/create-view.js";
import { settleNames } from "../view/settle-names.js";
import { checkTemplates } from "./check-templates.js";
import type { OwnSet } from "./own-sets.js";
import { parseTemplate } from "./parse-template.js";
import { readNameRules } from "./read-name-rules.js";
import { createRender } from "./render-template.js";
import type { Entry, Template } from "./template.js";

/** Path of ridlkit's own templates in diagnostics. */
const ownFolder = "ridlkit/templates/";

/** Whether the path of a diagnostic is that of one of ridlkit's templates. */
export function isOwnTemplate(path: string): boolean {
  return path.startsWith(ownFolder);
}

/** Extension of templates. */
export const templateExtension = ".hbs";

/** Returns the path of a file of a set, without the extension of templates. */
export function nameOfTemplate(path: string): string {
  return path.endsWith(templateExtension)
    ? path.slice(0, -templateExtension.length)
    : path;
}

/** File of a set that says how names are written. */
export const nameRulesFile = "names.json";

/** Whether a file is a part of a template set: it is printed, copied, or read. */
export function isSetFile(path: string): boolean {
  return (
    path.endsWith(templateExtension) ||
    path.startsWith("files/") ||
    path === nameRulesFile
  );
}

/** Returns the files of one of ridlkit's sets, by path. */
export function ownFiles({ name, texts }: OwnSet): ReadonlyMap<string, Source> {
  return new Map(
    Object.entries(texts).map(([path, text]) => [
      path,
      { path: `${ownFolder}${name}/${path}`, text },
    ]),
  );
}

/** Reads one of ridlkit's sets, with other files instead of some. */
export function readOwnSet(
  set: OwnSet,
  replacements: ReadonlyMap<string, Source>,
): Diagnosed<TemplateSet | null> {
  const all = new Map([...ownFiles(set), ...replacements]);
  return readTemplateSet(all, recordOf(set));
}

/** Returns the record that the files of a set print, if it is always the same. */
export function recordOf({ name }: OwnSet): string | null {
  return name === "package" ? "PackageView" : null;
}

/** Reads one of ridlkit's sets as it is. */
export const findOwnSet = rememberEach((set: OwnSet): TemplateSet => {
  const { value, diagnostics } = readOwnSet(set, new Map());
  invariant(value !== null, JSON.stringify(diagnostics[0]));
  return value;
});

/** What the files of a set depend on besides the contract. */
export type PrintOptions = Omit<ViewOptions, "names">;

/** Prints one of ridlkit's sets, or the set that replaces it. */
export function printOwnSet(
  set: OwnSet,
  contract: Contract,
  context: EmitContext | undefined,
  options?: PrintOptions,
): readonly OutputFile[] {
  const used = context?.templates?.get(set.name) ?? findOwnSet(set);
  return printSet(used, contract, options);
}

/**
 * Reads and checks the files of a set. Those in `files/` are printed if they are
 * templates, and copied otherwise. Other templates are partials.
 *
 * Input: the files by their paths, and the record that files print, or null if
 * that depends on their paths. Returns null if there is an error.
 * Errors: those of `parseTemplate`, `readNameRules` and `checkTemplates`.
 */
export function readTemplateSet(
  sources: ReadonlyMap<string, Source>,
  record: string | null = null,
): Diagnosed<TemplateSet | null> {
  const templates = new Map<string, Template>();
  const found: Diagnostic[] = [];
  const files: SetFile[] = [];
  for (const [path, source] of sources) {
    if (path.endsWith(templateExtension)) {
      const name = nameOfTemplate(path);
      const { value, diagnostics } = parseTemplate(name, source);
      templates.set(name, value);
      files.push(...fileOf(name, null));
      found.push(...diagnostics);
    } else {
      files.push(...fileOf(path, source.text));
    }
  }
  const rules = readNameRules(sources.get(nameRulesFile));
  found.push(...checkFolders(sources), ...rules.diagnostics);
  if (found.length > 0) return { value: null, diagnostics: found };
  found.push(...checkTemplates(entriesOf(templates, record), templates));
  // Without a contract that is printed, ridlkit's own partials may be unused.
  const diagnostics = found.filter(
    ({ code, location }) =>
      code !== "unused-template" ||
      location === undefined ||
      !isOwnTemplate(location.source.path),
  );
  if (diagnostics.length > 0) return { value: null, diagnostics };
  const render = createRender(templates, rules.value.strings);
  return { value: { files, rules: rules.value, render }, diagnostics };
}

/**
 * Returns the templates that are files. If `record` is null, their paths decide
 * which record they print.
 */
export function entriesOf(
  templates: ReadonlyMap<string, Template>,
  record: string | null,
): readonly Entry[] {
  return [...templates.values()].flatMap((template) =>
    fileOf(template.name, null).map(({ isByHost }) => {
      const byPath = isByHost ? "HostContractView" : "ContractView";
      return { template, record: record ?? byPath };
    }),
  );
}

function fileOf(name: string, copied: string | null): readonly SetFile[] {
  const [, path] = /^files\/(.+)$/u.exec(name) ?? [];
  if (path === undefined) return [];
  const isByHost = path.split("/").includes(hostFolder);
  return [{ template: name, copied, path, isByHost }];
}

/** Stands for the folder of each host in the path of a file. */
const hostFolder = "{host}";

/** Reports `{host}` in a path that is not a single folder. */
function checkFolders(
  sources: ReadonlyMap<string, Source>,
): readonly Diagnostic[] {
  return [...sources].flatMap(([path, source]) => {
    const folders = path.split("/").slice(0, -1);
    const count = path.split(hostFolder).length - 1;
    const isRight =
      count === 0 || (count === 1 && folders.includes(hostFolder));
    if (isRight || !path.startsWith("files/")) return [];
    return [
      {
        code: "invalid-template",
        severity: "error",
        message: `\`${hostFolder}\` in the path of a file must be one of its folders, and only one`,
        location: { source, span: { start: 0, end: 0 } },
        help: "each host has a folder, whose name is that of the host: `files/src/{host}/client.py.hbs`",
      } as const,
    ];
  });
}

/** Prints the files of a set for a contract. */
export function printSet(
  { files, render, rules }: TemplateSet,
  contract: Contract,
  printOptions: PrintOptions = {},
): readonly OutputFile[] {
  const names = settleNames(contract, rules);
  const options = { ...printOptions, names };
  const whole = once(() => createContractView(contract, options));
  const byHost = contract.hosts.map((host) => ({
    host,
    view: once(() => createHostView(contract, host, options)),
  }));
  return files.flatMap(({ copied, isByHost, path, template }) => {
    const place = path.includes("{package}")
      ? path.replaceAll("{package}", whole().package.identifier)
      : path;
    if (!isByHost) {
      return { path: place, text: copied ?? render(template, whole()) };
    }
    const [above = "", inHost = ""] = place.split(`${hostFolder}/`);
    return byHost.map(({ host, view }) => ({
      path: above + pathInHost(contract, host, inHost),
      text: copied ?? render(template, view()),
    }));
  });
}

function once<Made>(make: () => Made): () => Made {
  let made: { readonly value: Made } | null = null;
  return () => (made ??= { value: make() }).value;
}

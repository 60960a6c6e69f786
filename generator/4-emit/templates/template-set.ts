import type { Diagnosed, Diagnostic } from "../../diagnostics/diagnostic.js";
import { invariant } from "../../ir/invariant.js";
import { rememberEach } from "../../ir/remember.js";
import type { Contract } from "../../ir/contract.js";
import type { Source } from "../../source/source.js";
import type { OutputFile, SetFile, TemplateSet } from "../emitter/emitter.js";
import { pathInHost } from "../names/host-folders.js";
import { createContractView, createHostView } from "../view/create-view.js";
import { checkTemplates, type Entry } from "./check-templates.js";
import written from "./own-texts.json" with { type: "json" };
import { parseTemplate } from "./parse-template.js";
import { createRender } from "./render-template.js";
import type { Template } from "./template.js";

/** The name of one of ridlkit's template sets. */
export type OwnSet = keyof typeof written;

/** The names of ridlkit's template sets. */
export const ownSets: readonly string[] = Object.keys(written);

/** Whether ridlkit has a template set with a name. */
export function isOwnSet(name: string): name is OwnSet {
  return Object.hasOwn(written, name);
}

/** Path of ridlkit's own templates in diagnostics. */
const ownFolder = "ridlkit/templates/";

/** Whether the path of a diagnostic is that of one of ridlkit's templates. */
export function isOwnTemplate(path: string): boolean {
  return path.startsWith(ownFolder);
}

/** Returns the templates of one of ridlkit's sets, by name. */
export function ownTemplates(set: OwnSet): ReadonlyMap<string, Source> {
  return new Map(
    Object.entries(written[set]).map(([name, text]) => [
      name,
      { path: `${ownFolder}${set}/${name}.hbs`, text },
    ]),
  );
}

/** Reads one of ridlkit's sets, with other templates instead of some. */
export function readOwnSet(
  set: OwnSet,
  replacements: ReadonlyMap<string, Source>,
): Diagnosed<TemplateSet | null> {
  const texts = new Map([...ownTemplates(set), ...replacements]);
  return readTemplateSet(texts, recordOf(set));
}

/** Returns the record that the files of a set print, if it is always the same. */
export function recordOf(set: OwnSet): string | null {
  return set === "package" ? "PackageView" : null;
}

/** Returns one of ridlkit's sets as it is. */
export function findOwnSet(set: OwnSet): TemplateSet {
  return findSet(ownKeys[set]);
}

/** Objects for {@link rememberEach}. */
const ownKeys: Readonly<Record<OwnSet, { readonly set: OwnSet }>> = {
  markdown: { set: "markdown" },
  package: { set: "package" },
};

const findSet = rememberEach(({ set }: { readonly set: OwnSet }) => {
  const { value, diagnostics } = readOwnSet(set, new Map());
  invariant(value !== null, JSON.stringify(diagnostics[0]));
  return value;
});

/**
 * Parses and checks the templates of a set. Those in `files/` are files, and
 * the others are partials.
 *
 * Input: the templates by their names, and the record that files print, or null
 * if that depends on their paths. Returns null if there is an error.
 * Errors: those of `parseTemplate` and `checkTemplates`.
 */
export function readTemplateSet(
  sources: ReadonlyMap<string, Source>,
  record: string | null = null,
): Diagnosed<TemplateSet | null> {
  const templates = new Map<string, Template>();
  const found: Diagnostic[] = [];
  for (const [name, source] of sources) {
    const { value, diagnostics } = parseTemplate(name, source);
    templates.set(name, value);
    found.push(...diagnostics);
  }
  if (found.length > 0) return { value: null, diagnostics: found };
  const files = [...templates.keys()].flatMap((name) => fileOf(name) ?? []);
  found.push(...checkTemplates(entriesOf(templates, record), templates));
  // Without a contract that is printed, ridlkit's own partials may be unused.
  const diagnostics = found.filter(
    ({ code, location }) =>
      code !== "unused-template" ||
      location === undefined ||
      !isOwnTemplate(location.source.path),
  );
  if (diagnostics.length > 0) return { value: null, diagnostics };
  return { value: { files, render: createRender(templates) }, diagnostics };
}

/**
 * Returns the templates that are files. If `record` is null, their paths decide
 * which record they print.
 */
export function entriesOf(
  templates: ReadonlyMap<string, Template>,
  record: string | null,
): readonly Entry[] {
  return [...templates.values()].flatMap((template) => {
    const file = fileOf(template.name);
    if (file === null) return [];
    const byPath = file.isByHost ? "HostContractView" : "ContractView";
    return [{ template, record: record ?? byPath }];
  });
}

function fileOf(template: string): SetFile | null {
  const [, byHost, path] = /^files\/(\{host\}\/)?(.+)$/u.exec(template) ?? [];
  if (path === undefined) return null;
  return { template, path, isByHost: byHost !== undefined };
}

/** Prints the files of a set for a contract. */
export function printSet(
  { files, render }: TemplateSet,
  contract: Contract,
): readonly OutputFile[] {
  return files.flatMap(({ isByHost, path, template }) =>
    isByHost
      ? contract.hosts.map((host) => ({
          path: pathInHost(contract, host, path),
          text: render(template, createHostView(contract, host)),
        }))
      : { path, text: render(template, createContractView(contract)) },
  );
}

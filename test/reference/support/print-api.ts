import type { Node } from "ts-morph";
import { type ApiExport, type ApiForm, type ApiMember } from "./read-api.js";

/** The exports of a package's entry point, and the page that describes them. */
export interface ApiEntry {
  /** The imported module, such as `@ridlkit/runtime/client`. */
  readonly specifier: string;
  /** The file name of the page, such as `client.md`. */
  readonly page: string;
  readonly api: ReadonlyMap<Node, ApiExport>;
}

/** The location of an export's description: the page and the anchor on it. */
interface ApiPlace {
  readonly page: string;
  readonly anchor: string;
}

/** Link targets in the pages of one package. */
export interface ApiIndex {
  /**
   * The page of a declaration, which belongs to the first entry point that
   * exports it.
   */
  readonly places: ReadonlyMap<Node, ApiPlace>;
  /** The names of types whose members callers choose. */
  readonly options: ReadonlySet<string>;
  /** Declarations by name. Several entry points may use the same name. */
  readonly byName: ReadonlyMap<string, ReadonlySet<Node>>;
}

/**
 * Indexes the declarations of a package.
 *
 * Input: the entry points in the order in which pages list them.
 */
export function indexApi(entries: readonly ApiEntry[]): ApiIndex {
  const places = new Map<Node, ApiPlace>();
  const byName = new Map<string, Set<Node>>();
  for (const { api, page } of entries) {
    const counts = new Map<string, number>();
    for (const [node, { name }] of api) {
      const slug = name.toLowerCase();
      const count = counts.get(slug) ?? 0;
      counts.set(slug, count + 1);
      const anchor = count === 0 ? slug : `${slug}-${count}`;
      if (!places.has(node)) places.set(node, { page, anchor });
      byName.set(name, (byName.get(name) ?? new Set()).add(node));
    }
  }
  return { places, byName, options: findOptions(entries) };
}

/** Finds the names of option types, which no function returns. */
function findOptions(entries: readonly ApiEntry[]): ReadonlySet<string> {
  const all = entries.flatMap(({ api }) => [...api.values()]);
  const returned = new Set(
    all
      .flatMap(({ forms }) => forms.flatMap(({ members }) => members))
      .map(({ text }) => /\): (\w+)/u.exec(text)?.[1]),
  );
  const names = all
    .map(({ name }) => name)
    .filter((name) => /(?:Limits|Observer|Options)$/u.test(name));
  return new Set(names.filter((name) => !returned.has(name)));
}

/**
 * Prints a section for each export.
 *
 * Input: how an example uses each option, by `Type.member`.
 */
export function printApi(
  entry: ApiEntry,
  index: ApiIndex,
  uses: ReadonlyMap<string, string>,
): string {
  const sections = [...entry.api].map(([node, each]) => {
    const place = index.places.get(node);
    const body =
      place === undefined || place.page === entry.page
        ? each.forms.flatMap((form) =>
            printForm(each, form, entry, index, uses),
          )
        : [`See [\`${each.name}\`](${place.page}#${place.anchor}).`];
    return [`## \`${each.name}\``, ...body].join("\n\n");
  });
  return sections.join("\n\n");
}

function printForm(
  { name }: ApiExport,
  { doc, members, text, typeParameters }: ApiForm,
  entry: ApiEntry,
  index: ApiIndex,
  uses: ReadonlyMap<string, string>,
): readonly string[] {
  const lines = members.map((member) =>
    printMember(
      member,
      index.options.has(name) ? uses.get(`${name}.${member.name}`) : undefined,
    ),
  );
  const named = [text, ...members.map((member) => member.text)].join("\n");
  const links = linksOf(named, [name, ...typeParameters], entry, index);
  return [
    text === `interface ${name} { … }` ? "" : "```ts\n" + text + "\n```",
    doc,
    lines.join("\n"),
    links.length === 0 ? "" : `Types: ${links.join(", ")}.`,
  ].filter((part) => part !== "");
}

function printMember(
  { doc, text }: ApiMember,
  use: string | undefined,
): string {
  const parts = [
    `- \`${text}\``,
    ...(doc === "" ? [] : [doc]),
    ...(use === undefined ? [] : ["", `Example: \`${use}\``]),
  ];
  return parts.join("\n").replace(/\n(?!\n)/gu, "\n  ");
}

/** Prints links to the package's types that a text names, except hidden names. */
function linksOf(
  text: string,
  hidden: readonly string[],
  { api, page }: ApiEntry,
  { byName, places }: ApiIndex,
): readonly string[] {
  const code = text.replace(/\/\*[^]*?\*\/|\/\/.*/gu, "");
  const names = [...new Set(code.match(/\b[A-Z]\w+/gu))].sort();
  return names.flatMap((name) => {
    if (hidden.includes(name)) return [];
    const nodes = [...(byName.get(name) ?? [])];
    const own = nodes.filter((node) => api.has(node));
    const [node, ...others] = own.length > 0 ? own : nodes;
    const place = node && others.length === 0 ? places.get(node) : undefined;
    if (place === undefined) return [];
    const file = place.page === page ? "" : place.page;
    return [`[\`${name}\`](${file}#${place.anchor})`];
  });
}

/**
 * Finds what a page lacks: comments, functions that its example does not use,
 * and options that no example uses.
 */
export function findFaults(
  { api, page }: ApiEntry,
  { options, places }: ApiIndex,
  uses: ReadonlyMap<string, string>,
  names: ReadonlySet<string>,
): readonly string[] {
  const faults: string[] = [];
  for (const [node, { forms, isFunction, name }] of api) {
    if (places.get(node)?.page !== page) continue;
    if (isFunction && !names.has(name)) faults.push(`${name} is in no example`);
    for (const { doc, members } of forms) {
      if (doc === "") faults.push(`${name} has no comment`);
      if (!options.has(name)) continue;
      for (const member of members) {
        const key = `${name}.${member.name}`;
        if (member.doc === "") faults.push(`${key} has no comment`);
        if (!uses.has(key)) faults.push(`${key} is in no example`);
      }
    }
  }
  return faults.map((fault) => `${page}: ${fault}`);
}

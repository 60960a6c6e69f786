import { readFileSync } from "node:fs";
import type { Project, SourceFile } from "ts-morph";
import { runtimePaths } from "../../support/runtime-entries.js";
import { findFaults, indexApi, printApi, type ApiEntry } from "./print-api.js";
import { readNames, readOptionUses } from "./example-uses.js";
import { referenceFolder } from "./expect-pages.js";
import { firstSentence, type ReferencePart } from "./index-page.js";
import { readApi } from "./read-api.js";

/** The sentence on pages whose programs import local modules. */
const exampleShop =
  "This program uses the contract and server of the [example shop](../README.md#example-shop).";

const prefix = "@ridlkit/runtime/";

/** A program that demonstrates an entry point: an introduction and code. */
export interface Example {
  readonly intro: string;
  readonly program: string;
}

/** Reads an entry point's example as it would be next to generated code. */
export function readExample(name: string): Example {
  const path = `${referenceFolder}/examples/${name}.ts`;
  const text = readFileSync(path, "utf8").replaceAll('"../', '"./');
  const [, comment = ""] = /^((?:\/\/ .*\n)+)/u.exec(text) ?? [];
  return {
    intro: comment.replace(/^\/\/ /gmu, "").trim(),
    program: text.slice(comment.length),
  };
}

/** Returns the name of an entry point's page, e.g. `codegen-codec`. */
function pageNameOf(specifier: string): string {
  return specifier.slice(prefix.length).replace("/", "-");
}

/** Reads the runtime's entry points, sorted by name. */
export function readRuntime(project: Project): readonly ApiEntry[] {
  const paths = Object.entries(runtimePaths("declarations")).sort();
  const apis = readApi(
    project,
    paths.map(([, [path]]) => path),
  );
  return paths.map(([specifier], index) => ({
    specifier,
    page: `${pageNameOf(specifier)}.md`,
    api: apis[index] ?? new Map(),
  }));
}

/**
 * Lists the runtime's entry points as the first page of the reference shows
 * them: those that programs import, and those that only generated code imports.
 *
 * Input: the imported modules, such as `@ridlkit/runtime/client`.
 */
export function runtimeParts(
  specifiers: readonly string[],
): readonly ReferencePart[] {
  const sorted = [...specifiers].sort();
  const isGenerated = (each: string): boolean =>
    each.startsWith(`${prefix}codegen/`);
  return [
    {
      title: "Runtime",
      intro:
        "The exports of the package `@ridlkit/runtime`, which generated servers and clients use.",
      links: sorted.filter((each) => !isGenerated(each)).map(linkOf),
    },
    {
      title: "Runtime of generated code",
      intro:
        "The exports of `@ridlkit/runtime` that only generated code imports. They can change in any version whose generator changes with them.",
      links: sorted.filter(isGenerated).map(linkOf),
    },
  ];
}

function linkOf(specifier: string): readonly [string, string] {
  const page = pageNameOf(specifier);
  const { intro } = readExample(`runtime/${page}`);
  const text = firstSentence(intro).replaceAll("(../../", "(../");
  return [`[\`${specifier}\`](runtime/${page}.md)`, text];
}

/**
 * Returns the library part of the first page of the reference: how to use the
 * generator in programs.
 */
export function libraryPart(): ReferencePart {
  return {
    title: "Library",
    intro:
      "The exports of the package `ridlkit`, for use in your own programs.",
    links: [["[`ridlkit`](ridlkit.md)", readExample("ridlkit").intro]],
  };
}

/** Returns the name of an entry point, such as `client`. */
export function nameOfEntry({ page }: ApiEntry): string {
  return page.replace(/\.md$/u, "");
}

/** Pages by name, and their faults. */
export interface ApiPages {
  readonly pages: ReadonlyMap<string, string>;
  /** Faults such as `client.md: CallOptions.signal is in no example`. */
  readonly faults: readonly string[];
}

/**
 * Creates the pages of the entry points.
 *
 * Input: the program of each entry point by the entry point's name, which must
 * be next to generated code, and the folder of the examples.
 */
export function createApiPages(
  entries: readonly ApiEntry[],
  programs: ReadonlyMap<string, SourceFile>,
  folder: string,
): ApiPages {
  const index = indexApi(entries);
  const usesByName = new Map(
    [...programs].map(([name, file]) => [name, readOptionUses(file)]),
  );
  const everywhere = [...usesByName.values()].flatMap((uses) => [...uses]);
  const described = entries.map((entry) => {
    const name = nameOfEntry(entry);
    const file = programs.get(name);
    // An example on an entry point's own page takes precedence over one on
    // another page.
    const uses = new Map([...everywhere, ...(usesByName.get(name) ?? [])]);
    const { intro, program } = readExample(`${folder}${name}`);
    const parts = [
      `# ${entry.specifier}`,
      intro,
      ...(/from "\.\//u.test(program) ? [exampleShop] : []),
      `\`\`\`ts ${name}.ts\n${program.trim()}\n\`\`\``,
      printApi(entry, index, uses),
    ];
    const names = file === undefined ? new Set<string>() : readNames(file);
    const faults = findFaults(entry, index, uses, names);
    return { page: entry.page, text: `${parts.join("\n\n")}\n`, faults };
  });
  return {
    pages: new Map(described.map(({ page, text }) => [page, text])),
    faults: described.flatMap(({ faults }) => faults),
  };
}

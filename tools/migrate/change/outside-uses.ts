import type { ts } from "ts-morph";
import type { Migration, UsedFile } from "./old-client.js";
import { UnsupportedCode } from "./unsupported-code.js";
import type { ClientKey } from "./uses.js";

/** Code outside the folder that uses a client which the folder creates. */
interface OutsideUse extends ClientKey {
  readonly node: ts.Node;
}

/** Returns the uses of the folder's clients in files outside of it. */
export function outsideUses(
  outside: readonly UsedFile[],
  { client, files }: Pick<Migration, "client" | "files">,
): readonly OutsideUse[] {
  const sources = new Set(files.map(({ source }) => source));
  const created = files.flatMap(({ lookup, uses }) =>
    uses.creations.map((each) =>
      client.documentOf(lookup, lookup.checker.getTypeAtLocation(each)),
    ),
  );
  return outside
    .flatMap(({ uses }) => [
      ...uses.calls,
      ...uses.others.map(({ reason, ...key }) => ({
        ...key,
        node: reason.node,
      })),
    ])
    .filter(
      // An unknown client can be each one of the same document.
      ({ creation, document }) =>
        creation === null
          ? document !== "" && created.includes(document)
          : sources.has(creation.getSourceFile()),
    );
}

/**
 * Reports the code outside the folder that the migration concerns: it uses a
 * client of the folder, creates a client of calls in the folder, or configures
 * one that generated code creates. `found` is the result of `outsideUses`.
 */
export function reportOutside(
  outside: readonly UsedFile[],
  found: readonly OutsideUse[],
  { client, files, isUsed }: Migration,
): readonly UnsupportedCode[] {
  const calls = files.flatMap(({ uses }) => uses.calls);
  const used = found.filter(isUsed);
  const created = outside
    .flatMap(({ uses }) => uses.creations)
    .filter((each) => calls.some(({ creation }) => creation === each));
  const configured = outside.flatMap(({ lookup, uses }) =>
    uses.references.filter((name) => {
      const type = lookup.checker.getTypeAtLocation(name);
      const document = client.documentOf(lookup, type);
      return isUsed({ creation: null, document });
    }),
  );
  return [
    ...used.map(
      ({ node }) =>
        new UnsupportedCode(
          node,
          "code outside the folder is not migrated",
          "migrate a folder that contains it",
        ),
    ),
    ...created.map(
      (node) =>
        new UnsupportedCode(
          node,
          "this client of calls in the folder is created outside of it",
          "move it into the folder, or migrate a folder that contains both",
        ),
    ),
    ...configured.map(
      (node) =>
        new UnsupportedCode(
          node,
          "code outside the folder does not reach the client of migrated calls",
          "do the same with the new client",
        ),
    ),
  ];
}

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";

const manifest = createRequire(import.meta.url).resolve(
  "@ridlkit/runtime/package.json",
);

const folder = `${dirname(manifest)}/`;

const { exports: exported } = JSON.parse(readFileSync(manifest, "utf8")) as {
  readonly exports: Readonly<Record<string, unknown>>;
};

/**
 * The entry points of the runtime's package by imported name, such as
 * `…/runtime/wire/errors.ts` for `@ridlkit/runtime/errors`.
 */
export const runtimeEntries: Readonly<Record<string, string>> =
  Object.fromEntries(
    Object.entries(exported).flatMap(([subpath, target]) => {
      const built = String(target);
      const source = /^\.\/dist\/(.+)\.js$/u.exec(built)?.[1];
      return source === undefined
        ? []
        : [[`@ridlkit/runtime${subpath.slice(1)}`, `${folder}${source}.ts`]];
    }),
  );

/**
 * Returns the entry points as `paths` for a tsconfig.json, for either the
 * sources or the built files.
 */
export function runtimePaths(
  form: "source" | "declarations" = "source",
): Readonly<Record<string, readonly [string]>> {
  return Object.fromEntries(
    Object.entries(runtimeEntries).map(([specifier, path]) => [
      specifier,
      [form === "source" ? path : declarationsOf(path)],
    ]),
  );
}

function declarationsOf(source: string): string {
  const path = source.slice(folder.length).replace(/\.ts$/u, ".d.ts");
  return `${folder}dist/${path}`;
}

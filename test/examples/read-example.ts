import { readFileSync, readdirSync } from "node:fs";
import type { TemplateSet } from "../../generator/4-emit/emitter/emitter.js";
import { readTemplateSet } from "../../generator/4-emit/templates/template-set.js";

/** A project in `examples` that has a template set. */
export interface Example {
  /** The files of the project by path. */
  readonly files: Readonly<Record<string, string>>;
  readonly set: TemplateSet;
}

/** Reads an example. Throws if its templates have errors. */
export function readExample(name: string): Example {
  const folder = `examples/${name}`;
  const files = new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name: file, parentPath }) => {
        const path = `${parentPath.replaceAll("\\", "/")}/${file}`;
        return [path.slice(folder.length + 1), readFileSync(path, "utf8")];
      }),
  );
  const sources = new Map(
    [...files]
      .filter(([path]) => path.startsWith("templates/"))
      .map(([path, text]) => [
        path.replace(/^templates\//u, ""),
        { path, text },
      ]),
  );
  const { value: set, diagnostics } = readTemplateSet(sources);
  if (set === null) throw new Error(JSON.stringify(diagnostics));
  return { files: Object.fromEntries(files), set };
}

import { readFileSync, statSync } from "node:fs";
import { SourceTextModule, SyntheticModule } from "node:vm";

const root = new URL(".", import.meta.url).href;

/** Endings that Metro tries. */
const endings = ["", ".ts", ".tsx", ".js", "/index.ts", "/index.js"];

/** Finds a compiled module by its source, as Metro does. */
function find(specifier, parent) {
  if (!specifier.startsWith(".")) return import.meta.resolve(specifier);
  if (!parent.startsWith(`${root}dist/`))
    return new URL(specifier, parent).href;
  const { href } = new URL(specifier, parent.replace(`${root}dist/`, root));
  const ending = endings.find((each) =>
    statSync(new URL(href + each), { throwIfNoEntry: false })?.isFile(),
  );
  if (ending === undefined) {
    throw new Error(`Unable to resolve module ${specifier} from ${parent}`);
  }
  const path = (href + ending).slice(root.length).replace(/\.tsx?$/u, ".js");
  return `${root}dist/${path}`;
}

/**
 * Runs a compiled module in a realm. Returns its exports.
 *
 * Input: the packages of the realm, with their exports.
 */
export async function run(path, context, packages) {
  const modules = new Map();
  const open = (url) => {
    const text = readFileSync(new URL(url), "utf8");
    const module =
      modules.get(url) ??
      new SourceTextModule(text, { context, identifier: url });
    modules.set(url, module);
    return module;
  };
  const link = (specifier, { identifier }) => {
    const own = packages[specifier];
    if (own === undefined) return open(find(specifier, identifier));
    const names = Object.keys(own);
    const evaluate = () => {
      for (const name of names) module.setExport(name, own[name]);
    };
    const module = new SyntheticModule(names, evaluate, { context });
    return module;
  };
  const module = open(`${root}dist/${path}`);
  await module.link(link);
  await module.evaluate();
  return module.namespace;
}

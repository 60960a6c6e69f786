import type { EmitOptions, Emitter } from "../../4-emit/emitter/emitter.js";
import { kebabCase } from "../../4-emit/names/casing.js";
import { deferredEmitters, emitters } from "../../4-emit/registry.js";
import type { Config } from "../config/config.js";

/** Settings that select the target of the same name, e.g. `json-schema`. */
const targetSettings = [
  "compat",
  "docs",
  "jsonSchema",
  "markdown",
  "mcp",
  "mock",
  "openapi",
  "query",
  "schemas",
  "schemasWithJson",
] as const satisfies readonly (keyof EmitOptions)[];

/**
 * Selects the targets of a configuration and loads them.
 *
 * Input: `emit`, e.g. `["client"]`. Null means all targets that need no
 * setting. Settings such as `docs` and the names in `needed` select more.
 * Returns the selected targets and the targets whose files they import, in the
 * order of the registry.
 */
export async function selectTargets(
  emit: Config["emit"],
  options: Pick<EmitOptions, (typeof targetSettings)[number]>,
  needed: readonly string[] = [],
): Promise<readonly Emitter[]> {
  const asked = targetSettings
    .filter((setting) => options[setting] !== undefined)
    .map(kebabCase);
  const listed = (emit ?? emitters.map(({ name }) => name)).filter(
    (entry) => typeof entry === "string",
  );
  const chosen = new Set<string>();
  const choose = (name: string): void => {
    if (chosen.has(name)) return;
    chosen.add(name);
    const { needs = [] } = emitters.find((each) => each.name === name) ?? {};
    needs.forEach(choose);
  };
  [...listed, ...asked, ...needed].forEach(choose);
  const loads = Object.entries(deferredEmitters).filter(([name]) =>
    chosen.has(name),
  );
  const deferred = await Promise.all(loads.map(([, load]) => load()));
  for (const { needs = [] } of deferred) needs.forEach(choose);
  return [...emitters.filter(({ name }) => chosen.has(name)), ...deferred];
}

import type { EmitOptions, Emitter } from "../../4-emit/emitter/emitter.js";
import { deferredEmitters, emitters } from "../../4-emit/registry.js";
import type { Config } from "../config/config.js";

/** Settings that ask for a target. */
type TargetSettings = Pick<
  EmitOptions,
  "compat" | "docs" | "jsonSchema" | "mcp" | "openapi" | "query"
>;

/** Those settings, and the targets that they ask for. */
const targetOfSetting = [
  ["compat", "compat"],
  ["docs", "docs"],
  ["jsonSchema", "json-schema"],
  ["mcp", "mcp"],
  ["openapi", "openapi"],
  ["query", "query"],
] as const satisfies readonly (readonly [keyof TargetSettings, string])[];

/**
 * Chooses the targets of a configuration, and loads them.
 *
 * Input: `emit`, e.g. `["client"]`; null means all that no setting asks for.
 * Settings such as `docs` ask for targets, and so do names in `needed`.
 * Output: those targets and all that their files import, in the order of the
 * registry.
 */
export async function selectTargets(
  emit: Config["emit"],
  options: TargetSettings,
  needed: readonly string[] = [],
): Promise<readonly Emitter[]> {
  const asked = targetOfSetting.flatMap(([setting, name]) =>
    options[setting] === undefined ? [] : name,
  );
  const listed = (emit ?? emitters.map(({ name }) => name)).filter(
    (entry) => typeof entry === "string",
  );
  const wanted = new Set([...listed, ...asked, ...needed]);
  const deferred = await Promise.all(
    Object.entries(deferredEmitters)
      .filter(([name]) => wanted.has(name))
      .map(([, load]) => load()),
  );
  const chosen = new Set<string>();
  const choose = (name: string): void => {
    if (chosen.has(name)) return;
    chosen.add(name);
    const { needs = [] } = emitters.find((each) => each.name === name) ?? {};
    needs.forEach(choose);
  };
  wanted.forEach(choose);
  deferred.forEach(({ needs = [] }) => needs.forEach(choose));
  return [...emitters.filter(({ name }) => chosen.has(name)), ...deferred];
}

import type { EmitOptions, Emitter } from "../../4-emit/emitter/emitter.js";
import { deferredEmitters, emitters } from "../../4-emit/registry.js";
import type { Config } from "../config/config.js";

/** The settings and the targets that they select. */
const targetOfSetting = [
  ["compat", "compat"],
  ["docs", "docs"],
  ["jsonSchema", "json-schema"],
  ["markdown", "markdown"],
  ["mcp", "mcp"],
  ["mock", "mock"],
  ["openapi", "openapi"],
  ["query", "query"],
  ["schemas", "schemas"],
  ["schemasWithJson", "schemas-with-json"],
] as const satisfies readonly (readonly [keyof EmitOptions, string])[];

/** Settings that select a target. */
type TargetSettings = Pick<EmitOptions, (typeof targetOfSetting)[number][0]>;

/**
 * Selects the targets of a configuration and loads them.
 *
 * Input: `emit`, e.g. `["client"]`. Null means all targets that no setting
 * selects. Settings such as `docs` and the names in `needed` select more.
 * Returns the selected targets and the targets whose files they import, in the
 * order of the registry.
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

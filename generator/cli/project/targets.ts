import type { EmitOptions, Emitter } from "../../4-emit/emitter/emitter.js";
import { emitters } from "../../4-emit/registry.js";
import type { Config } from "../config/config.js";

/**
 * Chooses the targets of a configuration.
 *
 * Input: `emit`, e.g. `["client"]`; null means all. The settings `compat`,
 * `docs` and `query` ask for the targets of those names, and so do names in `needed`.
 * Output: those targets and all that their files import, in the order of the
 * registry.
 */
export function selectTargets(
  emit: Config["emit"],
  options: Pick<EmitOptions, "compat" | "docs" | "query">,
  needed: readonly string[] = [],
): readonly Emitter[] {
  if (emit === null) return emitters;
  const asked = (["compat", "docs", "query"] as const).filter(
    (name) => options[name] !== undefined,
  );
  const chosen = new Set<string>();
  const choose = (name: string): void => {
    if (chosen.has(name)) return;
    chosen.add(name);
    const { needs = [] } = emitters.find((each) => each.name === name) ?? {};
    needs.forEach(choose);
  };
  const listed = emit.filter((entry) => typeof entry === "string");
  [...listed, ...asked, ...needed].forEach(choose);
  return emitters.filter(({ name }) => chosen.has(name));
}

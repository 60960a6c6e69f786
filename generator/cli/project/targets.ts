import type { EmitOptions, Emitter } from "../../4-emit/emitter/emitter.js";
import { emitters } from "../../4-emit/registry.js";

/**
 * Chooses the targets of a configuration.
 *
 * Input: the names in `emit`, e.g. `["client"]`; null means all. The settings
 * `compat` and `docs` ask for the targets of those names.
 * Output: those targets and all that their files import, in the order of the
 * registry.
 */
export function selectTargets(
  emit: readonly string[] | null,
  options: Pick<EmitOptions, "compat" | "docs">,
): readonly Emitter[] {
  if (emit === null) return emitters;
  const asked = (["compat", "docs"] as const).filter(
    (name) => options[name] !== undefined,
  );
  const chosen = new Set<string>();
  const choose = (name: string): void => {
    if (chosen.has(name)) return;
    chosen.add(name);
    const { needs = [] } = emitters.find((each) => each.name === name) ?? {};
    needs.forEach(choose);
  };
  [...emit, ...asked].forEach(choose);
  return emitters.filter(({ name }) => chosen.has(name));
}

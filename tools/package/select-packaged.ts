import type { Target } from "../../generator/4-emit/emitter/target.js";
import {
  selectTargets,
  type TargetChoice,
} from "../../generator/4-emit/select-targets.js";

/**
 * Selects the targets of a package: those of a client, those in `listed` that
 * add to it, and the targets whose files they import.
 */
export async function selectPackaged(
  listed: readonly TargetChoice[],
): Promise<readonly Target[]> {
  const client = [{ name: "index" }, { name: "validators" }];
  const choices = [...client, ...listed];
  const targets = await selectTargets(choices);
  const names = new Set(
    targets.flatMap(({ name, packaged }) => (packaged ? [name] : [])),
  );
  return selectTargets(choices.filter(({ name }) => names.has(name)));
}

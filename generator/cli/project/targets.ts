import type { EmitOptions } from "../../4-emit/emitter/emitter.js";

/**
 * Which emitters an emitter's output imports from. Names and order are those
 * of the registry; a test holds the two together.
 */
const needs: Readonly<Record<string, readonly string[]>> = {
  types: [],
  errors: [],
  validators: ["types"],
  codecs: ["types"],
  client: ["types", "errors", "codecs"],
  server: ["types", "errors", "validators", "codecs"],
  index: ["types", "errors", "client", "codecs"],
  compat: ["types", "errors", "codecs", "client"],
  docs: [],
};

/**
 * The emitters to run for a configuration.
 *
 * Input: `emit` of the configuration, e.g. `["client"]`; null means all. The
 * paths of the project's own emitters stay as they are.
 * `compat` and `docs` of the configuration ask for the targets of those names.
 * Output: those names and all that their output stands on, e.g.
 * `types, errors, codecs, client`.
 */
export function selectTargets(
  emit: readonly string[] | null,
  options: Pick<EmitOptions, "compat" | "docs"> = {},
): ReadonlySet<string> {
  if (emit === null) return new Set(Object.keys(needs));
  const asked = (["compat", "docs"] as const).filter(
    (name) => options[name] !== undefined,
  );
  const names = [...emit, ...asked];
  return new Set(names.flatMap((name) => [...(needs[name] ?? []), name]));
}

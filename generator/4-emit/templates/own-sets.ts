/** One of ridlkit's template sets. */
export interface OwnSet {
  /** E.g. `markdown`. */
  readonly name: string;
  /** The texts of its files, by path. */
  readonly texts: Readonly<Record<string, string>>;
}

/** ridlkit's template sets by name. */
export type OwnSets = ReadonlyMap<string, OwnSet>;

/**
 * Loads all of ridlkit's template sets. Call it only if a project reads or
 * replaces templates, because the sets contain the whole code of runtimes. A
 * target imports its own set.
 */
export async function loadOwnSets(): Promise<OwnSets> {
  const modules = await Promise.all([
    import("./own/go-set.json", { with: { type: "json" } }),
    import("./own/kotlin-set.json", { with: { type: "json" } }),
    import("./own/markdown-set.json", { with: { type: "json" } }),
    import("./own/package-set.json", { with: { type: "json" } }),
    import("./own/python-set.json", { with: { type: "json" } }),
    import("./own/rust-set.json", { with: { type: "json" } }),
  ]);
  return new Map(modules.map(({ default: set }) => [set.name, set]));
}

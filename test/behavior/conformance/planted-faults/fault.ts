/** A fault in one place of a client or a server. */
export interface PlantedFault {
  readonly name: string;
  /** The end of the path of a file of the runtime, or of a generated one. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** Returns faults from rows of their names, places and texts. */
export function faultsIn(
  file: string,
  rows: Readonly<Record<string, readonly [from: string, to: string]>>,
): readonly PlantedFault[] {
  return Object.entries(rows).map(([name, [from, to]]) => ({
    name,
    file,
    from,
    to,
  }));
}

/** Plants a fault in a text. Errors: an Error if there is no place for it. */
export function plant({ from, name, to }: PlantedFault, text: string): string {
  if (!text.includes(from)) throw new Error(`there is no place for: ${name}`);
  return text.replace(from, () => to);
}

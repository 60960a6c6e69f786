/** The outside world of the generator: where documents come from. */
export interface Host {
  /**
   * Input: a path with `/`, normalised, e.g. `schema/common.ridl`.
   * Output: the text of the document; null when it does not exist.
   */
  read(path: string): string | null;
}

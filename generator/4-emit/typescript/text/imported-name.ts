/** One name of an import declaration. */
export interface ImportedName {
  readonly name: string;
  /** Name in this file; the same as `name` unless it clashes. */
  readonly local: string;
  /** Whether it is needed as a type alone. */
  readonly isType: boolean;
  /** Whether code needs it, or the types in code. */
  readonly inCode: boolean;
  /** Whether declarations alone, `.d.ts`, would need it. */
  readonly inDeclarations: boolean;
}

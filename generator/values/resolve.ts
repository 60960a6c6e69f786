import type {
  Alias,
  Constraints,
  Contract,
  Field,
  TypeDeclaration,
  TypeReference,
} from "../ir/contract.js";
import { rememberEach } from "../ir/remember.js";
import { aliasesOf, valuesOf } from "./value.js";

/**
 * Lookups that every emitter needs. They are pure and created once for each
 * contract.
 */
export interface ContractIndex {
  /**
   * Returns the declaration with this name. Names in a contract always resolve.
   */
  type(name: string): TypeDeclaration;
  /** Resolves aliases. The result is never a reference to an alias. */
  resolve(reference: TypeReference): TypeReference;
  /** Returns the aliases that `resolve` follows, nearest first. */
  aliasesFrom(reference: TypeReference): readonly Alias[];
  /**
   * Returns all constraints of a value, from the field and from the aliases of
   * its type. Of several numeric limits, the result contains the tightest. Of
   * several patterns, formats or examples, it contains the one nearest to the
   * field.
   */
  constraintsOf(subject: Field | TypeReference): Constraints;
  /**
   * Returns the same constraints without merging them: the field's, followed by
   * those of each alias.
   */
  constraintsAlong(subject: Field | TypeReference): readonly Constraints[];
  /**
   * Whether the type is `int64` or `uint64` and its constraints keep it within
   * ±(2^53-1), so that a JavaScript number can represent it.
   */
  isSafeInteger(subject: Field | TypeReference): boolean;
}

/** Creates the lookups for a contract. Looking up an unknown name throws. */
export const createIndex = rememberEach((contract: Contract): ContractIndex => {
  const values = valuesOf(contract);
  return {
    type: (name) => values.type(name),
    resolve: (reference) => values.valueOf(reference).type,
    aliasesFrom: (reference) => aliasesOf(values.valueOf(reference)),
    constraintsOf: (subject) => values.valueOf(subject).limits,
    constraintsAlong(subject) {
      const own = subject.kind === "field" ? subject.constraints : {};
      const aliases = aliasesOf(values.valueOf(subject));
      return [own, ...aliases.map(({ constraints }) => constraints)];
    },
    isSafeInteger(subject) {
      const value = values.valueOf(subject);
      return value.kind === "scalar" && value.isSafe;
    },
  };
});

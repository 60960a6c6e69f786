import type { Contract, Credential } from "../../ir/contract.js";
import type { PairedContracts, PlacedMethod } from "./paired-contracts.js";
import type { Pair } from "./pairing.js";

/** The credentials that a method needs, in the order they are checked. */
export function credentialsOf(
  { method }: PlacedMethod,
  { credentials }: Contract,
): readonly Credential[] {
  return method.credentials.flatMap((header) =>
    credentials.filter((credential) => credential.header === header),
  );
}

/** The credentials of a method in both contracts. */
export function pairCredentials(
  { before, after }: Pair<PlacedMethod>,
  contracts: PairedContracts,
): Pair<readonly Credential[]> {
  return {
    before: credentialsOf(before, contracts.before),
    after: credentialsOf(after, contracts.after),
  };
}

/** Whether a method still has the errors of credentials that it had. */
export function keepsErrors(
  { after }: Pair<PlacedMethod>,
  had: readonly Credential[],
): boolean {
  const { errors } = after.method;
  return errors === null || had.every(({ error }) => errors.includes(error));
}

/** E.g. `authorization: bearer …`. Case tells no headers apart, and no schemes. */
export function printHeader({ header, scheme }: Credential): string {
  const value = scheme === null ? "…" : `${scheme.toLowerCase()} …`;
  return `${header.toLowerCase()}: ${value}`;
}

/** Those that no other one is sent like, or called like, in the other list. */
export function credentialsWithout(
  some: readonly Credential[],
  others: readonly Credential[],
): readonly Credential[] {
  return some.filter(
    (one) =>
      !others.some(
        (other) =>
          other.name === one.name || printHeader(other) === printHeader(one),
      ),
  );
}

/** Whether some method needs such a credential: code knows only those. */
export function isNeeded({ header }: Credential, { hosts }: Contract): boolean {
  return hosts
    .flatMap(({ services }) => services)
    .flatMap(({ methods }) => methods)
    .some(({ credentials }) => credentials.includes(header));
}

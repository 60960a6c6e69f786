import type {
  Contract,
  ErrorDeclaration,
  ErrorRole,
  Host,
  Method,
} from "./contract.js";

/** All parts of an error that a member of its body can contain. */
export const errorRoles: readonly ErrorRole[] = [
  "name",
  "code",
  "message",
  "title",
  "status",
  "cause",
];

/** Returns the names of the declared errors that a method can return. */
export function errorsOf(
  { errors }: Pick<Host, "errors">,
  method: Pick<Method, "errors">,
): readonly string[] {
  return method.errors ?? errors;
}

/** A declared error that carries data. */
export interface ErrorWithData extends ErrorDeclaration {
  readonly data: string;
}

/**
 * Returns the errors that carry data among those with the given names, in the
 * order of the contract.
 */
export function errorsWithData(
  { errors }: Pick<Contract, "errors">,
  names: readonly string[],
): readonly ErrorWithData[] {
  const named = new Set(names);
  return errors.flatMap((error) =>
    error.data !== null && named.has(error.name)
      ? { ...error, data: error.data }
      : [],
  );
}

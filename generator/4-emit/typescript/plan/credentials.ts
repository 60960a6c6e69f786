import type { CredentialPlan, MethodPlan, Plan } from "./plan.js";

/** Credentials of some methods, each once, in the order of the contract. */
export function credentialsOf(
  { credentials }: Plan,
  methods: readonly MethodPlan[],
): readonly CredentialPlan[] {
  const headers = new Set(methods.flatMap(({ method }) => method.credentials));
  return credentials.filter(({ header }) => headers.has(header));
}

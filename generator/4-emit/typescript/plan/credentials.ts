import type { CredentialPlan, MethodPlan, Plan, ServicePlan } from "./plan.js";

/** Credentials of some methods, each once, in the order of the contract. */
export function credentialsOf(
  { credentials }: Plan,
  methods: readonly MethodPlan[],
): readonly CredentialPlan[] {
  const headers = new Set(methods.flatMap(({ method }) => method.credentials));
  return credentials.filter(({ header }) => headers.has(header));
}

/** The methods of some services. */
export function methodsOf(
  services: readonly ServicePlan[],
): readonly MethodPlan[] {
  return services.flatMap(({ methods }) => methods);
}

/** Returns the methods of services, either of a contract or of a plan. */
export function methodsOf<Method>(
  services: readonly { readonly methods: readonly Method[] }[],
): readonly Method[] {
  return services.flatMap(({ methods }) => methods);
}

/** Returns the methods of services, either of a contract or of a plan. */
export function methodsOf<Method>(
  services: readonly { readonly methods: readonly Method[] }[],
): readonly Method[] {
  return services.flatMap(({ methods }) => methods);
}

/** Returns the methods of all hosts, either of a contract or of a plan. */
export function allMethods<Method>(
  hosts: readonly {
    readonly services: Parameters<typeof methodsOf<Method>>[0];
  }[],
): readonly Method[] {
  return methodsOf(hosts.flatMap(({ services }) => services));
}

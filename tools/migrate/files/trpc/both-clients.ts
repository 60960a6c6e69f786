/**
 * Adds the methods of a client to one of tRPC, whose calls stay for now. Routers
 * and procedures with the same name have both forms.
 */
export function addClient<Old extends object, Client extends object>(
  old: Old,
  client: Client,
): Old & Client {
  const both: unknown = merge(old, client);
  return both as Old & Client;
}

function merge(old: object, added: object): object {
  return new Proxy(added, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof name === "symbol") return value ?? Reflect.get(old, name);
      if (value === undefined) return Reflect.get(old, name);
      const isMethod = typeof target === "function";
      return isMethod || !(value instanceof Object)
        ? value
        : merge(Reflect.get(old, name), value);
    },
  });
}

/**
 * Adds the methods of a client to another one, whose calls stay for now. Routes
 * and methods with the same name become one function with both forms.
 */
export function addClient<Old extends object, Client extends object>(
  old: Old,
  client: Client,
): Old & Client {
  const both: unknown = merge(old, client);
  return both as Old & Client;
}

function merge(old: object, added: object): object {
  const all: object =
    typeof old === "function"
      ? (...args: unknown[]): unknown => Reflect.apply(old, undefined, args)
      : { ...old };
  for (const [name, value] of Object.entries(added)) {
    const before: unknown = Reflect.get(old, name);
    const isBoth = before instanceof Object && value instanceof Object;
    Reflect.set(all, name, isBoth ? merge(before, value) : value);
  }
  return all;
}

import { bothClientsFile } from "../change/both-clients.js";
import type { HelperFile } from "../change/old-client.js";

/** The file that lets headers be absent. */
export const definedHeadersFile: HelperFile = {
  name: "defined-headers",
  exported: "definedHeaders",
  text: `type Headers = Readonly<
  Record<string, string | readonly string[] | undefined>
>;

/**
 * Leaves out headers that are undefined, and joins those that are lists. Input:
 * the headers, or a function that returns them.
 */
export function definedHeaders(
  source: Headers | (() => Headers | Promise<Headers>),
): () => Promise<Record<string, string>> {
  return async () => {
    const all = typeof source === "function" ? await source() : source;
    return Object.fromEntries(
      Object.entries(all).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, String(value)]],
      ),
    );
  };
}
`,
};

/** The file that adds the generated client to one of tRPC. */
export const trpcClientsFile = bothClientsFile(`/**
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
`);

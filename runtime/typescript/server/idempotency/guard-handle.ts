/**
 * Returns a transaction or client that works like the given one only while
 * `isOpen` returns true. After that, its methods throw, because its connection
 * may already belong to someone else. `release` always throws, because the
 * connection has one owner.
 */
export function guardHandle<Handle>(
  handle: Handle,
  isOpen: () => boolean,
): Handle {
  if (typeof handle !== "object" && typeof handle !== "function") return handle;
  if (handle === null) return handle;
  const requireOpen = (name: PropertyKey): void => {
    if (!isOpen()) throw new Error(staleText);
    if (name === "release") throw new Error(ownedText);
  };
  // What callers assign stays here, because the connection outlives them.
  const assigned = new Map<PropertyKey, unknown>();
  // A shadow has no properties of its own, so a proxy may replace all of them.
  const shadow =
    typeof handle === "function" ? () => undefined : Object.create(handle);
  const guarded: Handle = new Proxy(shadow, {
    get: (_, name) => {
      if (assigned.has(name)) return assigned.get(name);
      const value: unknown = Reflect.get(handle, name, handle);
      if (typeof value !== "function") return value;
      // Functions can have members, such as `fn.countAll` of Kysely.
      return new Proxy(value, {
        apply: (_, __, args) => {
          requireOpen(name);
          const result: unknown = Reflect.apply(value, handle, args);
          return result === handle ? guarded : result;
        },
      });
    },
    set: (_, name, value) => assigned.set(name, value).has(name),
    apply: (_, self, args) => {
      requireOpen("");
      return Reflect.apply(Object(handle), self, args);
    },
  });
  return guarded;
}

const staleText =
  "the transaction has ended, so its connection may belong to another call";

const ownedText = "the connection is released when the transaction ends";

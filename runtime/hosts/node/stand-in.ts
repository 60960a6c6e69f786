/** The method of a stand-in that gives the real object. */
export const real: unique symbol = /* @__PURE__ */ Symbol("real");

/** Makes the real object when it is first needed. */
interface StandIn {
  [real](): object;
}

/**
 * Lets objects stand in for those of a web class, which are dear to make: they
 * are instances of it, and have all its members. Those that their own class
 * does not have are those of the real object.
 *
 * Input: the prototypes of both classes.
 */
export function standIn(own: StandIn, web: object): void {
  for (const name of Reflect.ownKeys(web)) {
    const member = Object.getOwnPropertyDescriptor(web, name);
    if (member === undefined || Object.hasOwn(own, name)) continue;
    if (member.get !== undefined) {
      Object.defineProperty(own, name, {
        ...member,
        get(this: StandIn): unknown {
          return Reflect.get(this[real](), name);
        },
      });
    } else if (typeof member.value === "function") {
      Object.defineProperty(own, name, {
        ...member,
        value(this: StandIn, ...values: unknown[]): unknown {
          return Reflect.apply(member.value, this[real](), values);
        },
      });
    }
  }
  Object.setPrototypeOf(own, web);
}

/** The stand-in's method that returns the real object. */
export const real: unique symbol = /* @__PURE__ */ Symbol("real");

/** Creates the real object on first use. */
interface StandIn {
  [real](): object;
}

/**
 * Turns a class into a cheap stand-in for a web class whose objects are
 * expensive to create. Stand-ins are instances of the web class and have all of
 * its members. Members that their own class does not define come from the real
 * object.
 *
 * Input: the prototypes of the stand-in's class and of the web class.
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

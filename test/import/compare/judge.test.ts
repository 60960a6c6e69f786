import { expect, test } from "vitest";
import { Judge } from "./judge.js";
import { Places } from "./places.js";

const extend = (name: string, properties: object) => ({
  allOf: [{ $ref: `#/components/schemas/${name}` }, { properties }],
});

/** Returns whether a value is one of the schema that cats and lions extend. */
function accepts(discriminator: object, value: object): boolean {
  const Pet = {
    type: "object",
    required: ["kind"],
    discriminator: { propertyName: "kind", ...discriminator },
    properties: { kind: { type: "string" } },
  };
  const Cat = extend("Pet", { lives: { type: "integer" } });
  const Lion = extend("Cat", { mane: { type: "boolean" } });
  const places = new Places(() => ({
    components: { schemas: { Pet, Cat, Lion } },
  }));
  const pet = places.at(places.root("a"), "components", "schemas", "Pet");
  if (pet === null) return expect.unreachable();
  return new Judge(places, null).compile(pet)(value).length === 0;
}

test.each([
  [{ kind: "Pet", lives: "x" }, true],
  [{ kind: "Cat", lives: 9, mane: 1 }, true],
  [{ kind: "Cat", lives: "x" }, false],
  [{ kind: "Lion", mane: true }, true],
  [{ kind: "Lion", mane: 1 }, false],
  [{ kind: "Lion", lives: "x" }, false],
])("the tag of %j names the schema that it is of", (value, isValid) => {
  expect(accepts({}, value)).toBe(isValid);
});

test("a mapping names the schema of a tag", () => {
  const mapping = { c: "Cat", Cat: "#/components/schemas/Lion" };
  expect(accepts({ mapping }, { kind: "c", lives: "x" })).toBe(false);
  expect(accepts({ mapping }, { kind: "Cat", mane: 1 })).toBe(false);
  expect(accepts({ mapping }, { kind: "Lion", mane: 1 })).toBe(true);
});

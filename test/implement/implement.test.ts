import { expect, test } from "vitest";
import { createHandlerProject, implement, shop } from "./handler-project.js";

// The slow tests have handlers in many forms, and other compilers.
test("ridl implement adds missing methods to a handler", async () => {
  const text = `import { createShopServer } from "../generated/server.js";

createShopServer({ handlers: { shop: { ping: () => ({}) } } });
`;
  const sandbox = await createHandlerProject({ "src/shop.ts": text }, shop, {
    typescript: "node_modules/typescript",
    "ts-morph": "node_modules/ts-morph",
  });
  const names = (await implement(sandbox)).match(/(?<=^add `)\w+/gmu);
  expect(names).toEqual(["getPrice", "order", "watch", "putBook"]);
  const written = sandbox.read("src/shop.ts");
  expect(written).toContain("ping: () => ({}),");
  for (const name of names ?? []) expect(written).toContain(`${name}:`);
});

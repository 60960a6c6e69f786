import { expect, it } from "vitest";
import { drawSome } from "../../support/draw-some.js";
import { bundleDriver, driverOfBundle } from "../typescript/drive-bundle.js";
import { kitCases, runKit } from "./run-kit.js";

const cases = drawSome(kitCases, 6);

it("passes with a client in TypeScript", async () => {
  const driver = await driverOfBundle(await bundleDriver());
  const results = await runKit(() => driver, {}, undefined, cases);
  expect(results.filter(({ fault }) => fault !== null)).toEqual([]);
  expect(results.length).toBe(cases.length);
});

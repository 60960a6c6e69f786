import { expect, test } from "vitest";
import { pairWithSettings } from "../support/query-plans.js";

test("statements have the settings of their own connection", () => {
  const [one, other] = [{}, {}];
  const sent: readonly (readonly [object, string])[] = [
    [one, "set local plan_cache_mode = force_custom_plan"],
    [other, "select 1"],
    [one, "select 2"],
    [one, "select 3"],
  ];
  const paired = pairWithSettings({
    contexts: sent.map(([connection]) => connection),
    calls: sent.map(([, text]) => [text]),
  });
  expect(paired.map(({ setting }) => setting)).toEqual([
    ...["", "", "set local plan_cache_mode = force_custom_plan", ""],
  ]);
});

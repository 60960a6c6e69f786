import type { Abi, AbiParameter } from "viem";
import { expect, test } from "vitest";

import { conduitControllerAbi, seaportAbi } from "../../seaport/abi.js";
import { requireArtifact } from "../support/require-artifact.js";

const folder = "@opensea/seaport-js/src/artifacts/seaport/contracts";

/**
 * Describes a parameter for comparison: its type, whether it is indexed, and
 * its fields with their names.
 */
function toWire(parameter: AbiParameter): object {
  return {
    type: parameter.type,
    isIndexed: "indexed" in parameter && parameter.indexed === true,
    ...("components" in parameter && {
      fields: parameter.components.map((field) => [field.name, toWire(field)]),
    }),
  };
}

function describeItems(abi: Abi): ReadonlyMap<string, object> {
  const entries = abi.flatMap((item) => {
    if (item.type !== "event" && item.type !== "function") return [];
    const inputs = item.inputs.map(toWire);
    const rest =
      item.type === "event"
        ? []
        : [item.stateMutability, item.outputs.map(toWire)];
    return [[item.name, { type: item.type, inputs, rest }] as const];
  });
  return new Map(entries);
}

test.each([
  ["Seaport.sol/Seaport.json", seaportAbi],
  [
    "conduit/ConduitController.sol/LocalConduitController.json",
    conduitControllerAbi,
  ],
])("matches the published definition of %s", (file, ours) => {
  const { abi } = requireArtifact(`${folder}/${file}`);
  const published = describeItems(abi);
  const used = describeItems(ours);
  expect(used.size).toBeGreaterThan(0);
  for (const [name, item] of used) expect(published.get(name)).toEqual(item);
});

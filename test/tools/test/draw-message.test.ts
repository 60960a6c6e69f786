import * as fc from "fast-check";
import { expect, test } from "vitest";
import { compileContract } from "../../../generator/compile.js";
import { Draws } from "../../../generator/tools/test/draw-message.js";

const tree = `webrpc = v1
name = trees
version = v1.0.0

struct Tree
  - branches: []Tree
  - byName: map<string,Tree>

service Trees
  - Plant(tree: Tree) => ()
`;

test("draws finite values of a struct with lists and maps of itself", () => {
  const { value: contract } = compileContract(["trees.ridl"], {
    read: () => tree,
  });
  if (contract === null) return expect.unreachable();
  const [method] = contract.hosts[0]?.services[0]?.methods ?? [];
  const fields = method?.request.fields ?? [];
  const [message] = fc.sample(new Draws(contract, new Map()).object(fields), 1);
  expect(message).toEqual({
    tree: { branches: expect.any(Array), byName: expect.any(Object) },
  });
});

import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { createNodeSystem } from "../../cli/node/node-system.js";
import { loadGenerated } from "../../cli/project/load-generated.js";
import type { System } from "../../cli/system/system.js";
import {
  contract,
  field,
  host,
  message,
  method,
  scalar,
  service,
} from "../support/contract-parts.js";

const shop = contract(
  [],
  [
    host("shop", [
      service("Shop", [
        method("Shop", "Count", {
          response: message([field("count", scalar("uint8"))]),
        }),
      ]),
    ]),
  ],
);

const options = {
  int64: "number",
  timestamp: "string",
  runtime: "import",
  runtimeFiles: ["node"],
  importExtension: ".ts",
} as const;

/** Creates a system that records the temporary folders that it creates. */
function recordFolders(patch: Partial<System> = {}): {
  readonly system: System;
  readonly folders: string[];
} {
  const system = { ...createNodeSystem(), ...patch };
  const folders: string[] = [];
  const createTemporaryFolder = () => {
    const folder = system.createTemporaryFolder();
    folders.push(folder);
    return folder;
  };
  return { system: { ...system, createTemporaryFolder }, folders };
}

it("loads generated code and runtime files, and then removes its folder", async () => {
  const { folders, system } = recordFolders();
  const generated = await loadGenerated(
    shop,
    [{ name: "server" }],
    options,
    system,
  );
  const server = Object(await generated.load("server.js"));
  const { fetch } = server.createShopServer({
    handlers: { shop: { count: () => ({ count: 7 }) } },
  });
  const request = new Request("http://localhost/rpc/Shop/Count", {
    method: "POST",
  });
  expect(await (await fetch(request)).json()).toEqual({ count: 7 });
  const node = await generated.load("runtime/hosts/node/node.js");
  expect(node).toHaveProperty("toNodeHandler");
  expect(folders.map((folder) => existsSync(folder))).toEqual([true]);
  generated.remove();
  expect(folders.map((folder) => existsSync(folder))).toEqual([false]);
});

it("removes its folder if a write fails", async () => {
  const { writeText } = createNodeSystem();
  const { folders, system } = recordFolders({
    writeText: (path, text) => {
      if (path.endsWith("server.js")) throw new Error("no space left");
      writeText(path, text);
    },
  });
  const loading = loadGenerated(shop, [{ name: "server" }], options, system);
  await expect(loading).rejects.toThrow("no space left");
  expect(folders.map((folder) => existsSync(folder))).toEqual([false]);
});

it("does not read or generate declarations, because it only runs the code", async () => {
  const read: string[] = [];
  const written: string[] = [];
  const { readText, writeText } = createNodeSystem();
  const { system } = recordFolders({
    readText: (path) => {
      read.push(path);
      return readText(path);
    },
    writeText: (path, text) => {
      written.push(path);
      writeText(path, text);
    },
  });
  const generated = await loadGenerated(
    shop,
    [{ name: "server" }],
    options,
    system,
  );
  generated.remove();
  const all = [...read, ...written];
  expect(all.filter((path) => path.endsWith(".d.ts"))).toEqual([]);
  expect(written.some((path) => path.endsWith("server.js"))).toBe(true);
});

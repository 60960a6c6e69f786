import { readFileSync } from "node:fs";

const server = readFileSync("platform/console/generated/server.ts", "utf8");

/** Each method of the contract, as the server defines it. */
export const contractMethods = [
  ...server.matchAll(
    /service: "(\w+)",\s+name: "(\w+)",[^]*?path: "([^"]+)"[^}]*\},(\s+isReadonly: true)?/gu,
  ),
].map(([, service = "", name = "", path = "", readonly]) => ({
  ...{ service, name, path },
  isReadonly: readonly !== undefined,
}));

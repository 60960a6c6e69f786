import { createRequire } from "node:module";

import { isRecord } from "@ridlkit/runtime/validation";

import { printArtifact } from "./print-artifact.js";

const path = "@openzeppelin/contracts/build/contracts/ERC2771Forwarder.json";

/**
 * Copies the ERC-2771 forwarder as compiled by its authors.
 *
 * Returns the content of the artifact by name.
 */
export function copyForwarder(): ReadonlyMap<string, string> {
  const artifact: unknown = createRequire(import.meta.url)(path);
  const { abi, bytecode } = isRecord(artifact) ? artifact : {};
  const origin = "Copied from @openzeppelin/contracts (MIT license)";
  const names = { name: "ERC2771Forwarder", constant: "forwarder" };
  const text = printArtifact({ origin, ...names, abi, bytecode });
  return new Map([["forwarder.ts", text]]);
}

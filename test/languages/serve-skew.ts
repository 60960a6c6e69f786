import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { EmitOptions } from "../../generator/4-emit/emitter/emitter.js";
import type { Contract } from "../../generator/ir/contract.js";
import { readHistory } from "../../generator/skew/read-history.js";
import { recordHistory, type Release } from "../../generator/skew/record.js";
import * as contracts from "../conformance/load-contract.js";
import type { Listening } from "../support/listen.js";
import { serve } from "./load-contract.js";

const folder = fileURLToPath(new URL(".", import.meta.url));
const root = fileURLToPath(new URL("../..", import.meta.url));
const modes = { int64: "number", timestamp: "string" } as const;

const current = contracts.readContract(folder, "skew-v1.4.0.ridl");

/** The contract of the clients, which is older than that of the server. */
export const oldContract = contracts.readContract(folder, "skew-v1.3.0.ridl");

/** What clients of the old contract say about it. */
export const { skew: oldSkew } = skewOf(oldContract, null);

/** The header that they send. */
export const oldHeader = oldSkew?.get("shop")?.header ?? "";

/** Starts a server of the current contract, which knows the old one. */
export async function serveSkew(): Promise<Listening> {
  const history = recordHistory({
    current: releaseOf(current),
    releases: [releaseOf(oldContract)],
    sha256,
  });
  const files = contracts.generateContract(folder, "skew-v1.4.0.ridl", {
    ...modes,
    ...skewOf(current, JSON.stringify(history)),
  });
  const exports = await contracts.loadGenerated(root, files);
  return serve(exports, "createShopServer", {
    handlers: {
      shop: {
        place: () => ({ number: 7 }),
        attach: () => ({ number: 7 }),
        watch: async function* () {
          await Promise.resolve();
          yield { number: 7 };
        },
      },
    },
  });
}

function releaseOf(whole: Contract): Release {
  return { whole, part: whole, modes: { ...modes, nullAsEmpty: false } };
}

function skewOf(
  contract: Contract,
  text: string | null,
): Pick<EmitOptions, "skew"> {
  const file = { path: "ridl.history.json", text };
  const { value } = readHistory(file, { contract, whole: contract }, sha256);
  return value ?? {};
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}

import { fileURLToPath } from "node:url";
import { bundle, gzipped } from "./workspace.js";

const generated = fileURLToPath(new URL("../../generated", import.meta.url));

const call = `
  import { call } from "@ridlkit/runtime/client";
  import { apiGetSwapPrice } from "./index.ts";
  export const price = (options, request) =>
    call(options, apiGetSwapPrice, request);
`;
const all = 'export { createPlatformClient } from "./index.ts";';
const table = 'export { errors } from "./index.ts";';

/** Measures the bytes of the platform's client in bundles. */
export async function measurePlatform() {
  const sizeOf = async (source) => gzipped(await bundle(source, generated));
  return {
    one: await sizeOf(call),
    all: await sizeOf(all),
    withErrors: await sizeOf(all + table),
  };
}

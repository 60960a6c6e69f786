import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Driver } from "../../../tools/conformance/driver.js";
import { messageOf, methodOf } from "../conformance/client-cases.js";
import { jsonOf } from "../conformance/message-json.js";
import {
  bundleGenerated,
  type Change,
  generateContract,
  type WireOptions,
} from "../conformance/load-contract.js";
import { contract, contractSkew } from "../conformance/served-contract.js";
import type { Conversions, drive } from "./conformance-driver.js";

/** The form of the generated code that drivers use. */
export const driverForm: WireOptions = { int64: "bigint", timestamp: "string" };

type Named = Readonly<Record<"service" | "method", string>>;

const find = (call: Named) =>
  methodOf(contract, { name: call.method, ...call });

/** Conversions for the contract of the cases. */
export const conversions: Conversions = {
  toValues: (call, json) =>
    messageOf(contract, find(call).request.fields, json, driverForm),
  toJson: (call, value) => jsonOf(contract, find(call).response.fields, value),
  async dataToJson(error) {
    const { data, name } = error as { data?: unknown; name?: unknown };
    const struct = contract.errors.find((each) => each.name === name)?.data;
    const type = contract.types.find((each) => each.name === struct);
    if (data === undefined || type?.kind !== "struct") return data ?? null;
    return jsonOf(contract, type.fields, data);
  },
};

const root = fileURLToPath(new URL("../../..", import.meta.url));
const program = join(root, "test/behavior/typescript/conformance-driver.ts");

/** Bundles the driver with the generated code and the runtime. */
export function bundleDriver(change?: Change): Promise<string> {
  const folder = join(root, "runtime/cases");
  const form = { ...driverForm, ...contractSkew };
  const files = generateContract(folder, "conformance.ridl", form);
  const modules = ["./index.js", "./validators.js", program];
  return bundleGenerated(
    files,
    {
      contents: modules.map((path) => `export * from "${path}";`).join("\n"),
      resolveDir: root,
    },
    change,
  );
}

/** What a bundle of the driver exports. */
interface Bundle {
  readonly drive: typeof drive;
  readonly createConformanceHostClient: Parameters<typeof drive>[1];
  readonly conformanceResponseChecks: Parameters<typeof drive>[3];
}

/** Loads a bundle of `conformance-driver.ts` and of the generated code. */
export async function driverOfBundle(text: string): Promise<Driver> {
  const folder = await mkdtemp(join(tmpdir(), "ridlkit-driver-"));
  const file = join(folder, "driver.mjs");
  await writeFile(file, text);
  const bundle = (await import(pathToFileURL(file).href)) as Bundle;
  await rm(folder, { recursive: true });
  return {
    ask: (line) =>
      bundle.drive(
        line,
        bundle.createConformanceHostClient,
        conversions,
        bundle.conformanceResponseChecks,
      ),
    stop: () => Promise.resolve(),
  };
}

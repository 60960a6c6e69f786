import type { Contract } from "../../ir/contract.js";
import type {
  DocsOptions,
  EmitOptions,
  OpenapiOptions,
} from "../emitter/emitter.js";
import { hostFolders } from "../names/host-folders.js";
import { findPathClashes } from "../openapi/path-clashes.js";
import { printOpenapi } from "../openapi/openapi.js";

/** A file with the contract that the page offers for download. */
export interface Download {
  /** Name of the file next to the page, e.g. `openapi.yaml`. */
  readonly name: string;
  /** Title on the page, e.g. `OpenAPI`. */
  readonly title: string;
  /** Media type. */
  readonly type: string;
  readonly print: () => string;
}

/**
 * Returns the downloads that the page offers: one OpenAPI document for all
 * hosts if they share no path, otherwise one for each host, and the RIDL files
 * in the options.
 */
export function findDownloads(
  contract: Contract,
  options: EmitOptions,
  docs: DocsOptions,
): readonly Download[] {
  const { hosts } = contract;
  const folders = hostFolders(contract);
  const { importFrom: _, schemas, ...shared } = docs;
  const openapi: OpenapiOptions = {
    ...shared,
    ...options.openapi,
    format: "yaml",
  };
  const isOne = findPathClashes(hosts).length === 0;
  const groups = isOne ? [hosts] : hosts.map((host) => [host]);
  const of = (name: string, isAll: boolean): string =>
    isAll ? "" : ` of ${name}`;
  return [
    ...groups.map((described): Download => {
      const [first] = described;
      const folder = first && folders.get(first);
      return {
        name: isOne ? "openapi.yaml" : `${folder}-openapi.yaml`,
        title: `OpenAPI${of(first?.name ?? "", isOne)}`,
        type: "application/yaml",
        print: () => printOpenapi(contract, described, options, openapi),
      };
    }),
    ...hosts.flatMap((host): Download | readonly [] => {
      const text = schemas?.get(host.document);
      if (text === undefined) return [];
      return {
        name: `${folders.get(host)}.ridl`,
        title: `RIDL${of(host.name, hosts.length === 1)}`,
        type: "text/plain",
        print: () => text,
      };
    }),
  ];
}

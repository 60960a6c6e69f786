import { omitUnused } from "../../ir/filter-contract.js";
import type { Emitter } from "../emitter/emitter.js";
import { hostFolders, pathInHost } from "../names/host-folders.js";
import { printPage } from "./page.js";

/**
 * Writes `api.md` for each host: its services, methods, types and errors. Needs
 * the option `markdown`.
 */
export const markdownEmitter: Emitter = {
  name: "markdown",
  emit(contract, options) {
    if (options.markdown !== true) return [];
    const folders = hostFolders(contract);
    return contract.hosts.map((host) => ({
      path: pathInHost(contract, folders.get(host), "api.md"),
      text: printPage(omitUnused({ ...contract, hosts: [host] }), host),
    }));
  },
};

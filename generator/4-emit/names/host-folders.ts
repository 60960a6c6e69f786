import type { Contract, Host } from "../../ir/contract.js";
import { rememberEach } from "../../ir/remember.js";
import { kebabCase } from "./casing.js";
import { NamePool } from "./name-pool.js";

/** Device names, which Windows does not allow as names of files or folders. */
const devices = [
  ..."aux con nul prn".split(" "),
  ...["com", "lpt"].flatMap((name) =>
    [..."0123456789¹²³"].map((digit) => name + digit),
  ),
];

/** Names that a host's folder cannot have. Other output may use them. */
const reservedFolders: ReadonlySet<string> = new Set([
  ...devices,
  "explorer",
  "runtime",
]);

/** File systems limit a name to 255 bytes, and a code point has up to four. */
const maxCodePoints = 60;

/**
 * Returns a distinct folder for each host: `MarketplaceAPI` →
 * `marketplace-api`. See {@link pathInHost}.
 */
export const hostFolders = rememberEach(({ hosts }: Contract) => {
  const folders = new NamePool(reservedFolders, null, folderName);
  return new Map(hosts.map((host) => [host, folders.claim(host.name)]));
});

function folderName(host: string): string {
  const words = kebabCase(host.normalize("NFC")) || "host";
  return [...words].slice(0, maxCodePoints).join("").replace(/-$/u, "");
}

/**
 * Returns the path of a host's file, which is in a folder if there are several
 * hosts.
 */
export function pathInHost(
  contract: Contract,
  host: Host,
  file: string,
): string {
  const folder = hostFolders(contract).get(host);
  return contract.hosts.length === 1 ? file : `${folder}/${file}`;
}

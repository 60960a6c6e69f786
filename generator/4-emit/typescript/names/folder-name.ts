import { kebabCase } from "./casing.js";

/** Device names, which Windows does not accept as names of files or folders. */
const devices = [
  ..."aux con nul prn".split(" "),
  ...["com", "lpt"].flatMap((name) =>
    [..."0123456789¹²³"].map((digit) => name + digit),
  ),
];

/** Names that no folder of a host gets. */
export const reservedFolders: ReadonlySet<string> = new Set([
  ...devices,
  "runtime",
]);

/** File systems limit a name to 255 bytes, and a code point has up to four. */
const maxCodePoints = 60;

/** Returns the name of a host's folder: `MarketplaceAPI` → `marketplace-api`. */
export function folderName(host: string): string {
  const words = kebabCase(host.normalize("NFC")) || "host";
  return [...words].slice(0, maxCodePoints).join("").replace(/-$/u, "");
}

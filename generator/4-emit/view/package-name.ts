import { snakeCase } from "./settle-names.js";
import type { PackageNameView } from "./view.js";

/**
 * Creates the names of a package. The name in code is the last part of the
 * name: `example.com/acme/shop-client` becomes `shop_client`.
 */
export function createPackageName(
  name: string,
  version: string | null,
): PackageNameView {
  const last = name.split("/").at(-1) ?? "";
  const snake = snakeCase(last).replace(/[^A-Za-z0-9_]/gu, "");
  const identifier = /^[A-Za-z_]/u.test(snake) ? snake : `_${snake}`;
  return { name, identifier, version: version ?? "0.0.0" };
}

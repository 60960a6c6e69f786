import { createRequire } from "node:module";
import { resolve } from "node:path";

/**
 * Loads an artifact from a package of `platform/chain/contracts`, which
 * `npm run test:long` installs.
 */
export const requireArtifact = createRequire(
  resolve("platform/chain/contracts/package.json"),
);

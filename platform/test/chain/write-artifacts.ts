// Writes the contracts' artifacts to artifacts/, for `npm run contracts`.
import { writeFileSync } from "node:fs";

import { makeArtifacts } from "./compile-contracts.js";

for (const [file, text] of makeArtifacts(".")) {
  writeFileSync(`platform/chain/artifacts/${file}`, text);
}

// Writes the contracts' artifacts into artifacts/: `npm run contracts` does it.
import { writeFileSync } from "node:fs";

import { makeArtifacts } from "./compile-contracts.js";

for (const [file, text] of makeArtifacts(".")) {
  writeFileSync(`platform/chain/artifacts/${file}`, text);
}

// Compiles the contracts into artifacts/: `npm run contracts` does it.
import { writeFileSync } from "node:fs";

import { compileContracts } from "./compile-contracts.js";

for (const [file, text] of compileContracts(".")) {
  writeFileSync(`platform/chain/artifacts/${file}`, text);
}

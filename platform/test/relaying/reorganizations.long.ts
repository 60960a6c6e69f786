import { test } from "vitest";

import { openRelaying } from "../support/open-relaying.js";
import { testReorganization } from "./reorganize.js";

const opened = await openRelaying();

test("a reorganization of 300 blocks undoes relays, which are then sent again", () =>
  testReorganization(opened, 300));

import { testSimultaneousRuns } from "./support/simultaneous-runs.js";

testSimultaneousRuns(10);

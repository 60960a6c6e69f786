import { isSample, runs } from "../support/draw-some.js";
import { testHostileProjects } from "./test-hostile.js";

const count = isSample ? 25 : 100;

// Compiles many projects at a time.
for (let batch = 0; batch < runs; batch += 1) testHostileProjects(count, batch);

import { runs } from "../support/draw-some.js";
import { testHostileProjects } from "./test-hostile.js";

// Compiles one hundred projects at a time.
for (let batch = 0; batch < runs; batch += 1) testHostileProjects(100, batch);

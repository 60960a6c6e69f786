import { testHostileProjects } from "./test-hostile.js";

// Compiles three hundred projects, one hundred at a time.
for (let batch = 0; batch < 3; batch += 1) testHostileProjects(100, batch);

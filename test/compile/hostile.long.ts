import { testHostileProjects } from "./test-hostile.js";

// Compiles a thousand projects, one hundred at a time.
for (let batch = 0; batch < 10; batch += 1) testHostileProjects(100, batch);

import { testHostileProjects } from "./test-hostile.js";

// A thousand, with a hundred in each program of the compiler.
for (let batch = 0; batch < 10; batch += 1) testHostileProjects(100, batch);

import { testHostileProjects } from "./test-hostile.js";

testHostileProjects(1);

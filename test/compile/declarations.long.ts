import { testDeclarations } from "./test-declarations.js";

// The oldest supported version.
testDeclarations("typescript-5.4");

import { testDeclarations } from "./test-declarations.js";

// The oldest.
testDeclarations("typescript-5.4");

import { testDeclarations } from "./test-declarations.js";

testDeclarations("typescript");

import { mergeConfig } from "vitest/config";
import base from "./vitest.config.js";

/** Tests in a real browser; see `scripts/test-browser.js`. */
const config = mergeConfig(base, {});
config.test.include = ["test/browser/*.browser.ts"];
export default config;

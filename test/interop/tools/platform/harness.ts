/**
 * The exports that `run.js` bundles: the generated servers of the platform, and
 * sample messages.
 */
export { InvalidArgumentError } from "../../../../generated/index.js";
export { accessKey, secret, startHarness } from "../../../contract/harness.js";
export { samples } from "../../../contract/samples.js";

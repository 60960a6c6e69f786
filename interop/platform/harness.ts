/** What the run bundles: generated servers of the platform, and samples. */
export { InvalidArgumentError } from "../../generated/index.js";
export {
  accessKey,
  secret,
  startHarness,
} from "../../test/contract/harness.js";
export { samples } from "../../test/contract/samples.js";

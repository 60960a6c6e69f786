import { it } from "vitest";
import { payUnderFaults } from "./pay-under-faults.js";

it("makes each payment of the guide once, and answers it with its receipt", async () => {
  await payUnderFaults(150, 3, 20261128);
});

import { expect, test } from "vitest";

import { readContactsCsv } from "../../console/csv/contacts-csv.js";
import { longestStep } from "../support/longest-step.js";

const fileOf = (lines: number) => {
  const ids = Array.from({ length: lines }, (_, at) => at + 1);
  return new File([`contactId\n${ids.join("\n")}\n`], "contacts.csv");
};

test("limits the contacts of a CSV file, and lets other work run", async () => {
  const most = await readContactsCsv(fileOf(200_000));
  expect([most.contactIds.length, most.faults]).toEqual([200_000, []]);
  const since = process.cpuUsage();
  const longest = await longestStep(async () => {
    const { faults } = await readContactsCsv(fileOf(200_001));
    expect(faults).toEqual([
      { line: 200_002, problem: "the file has more than 200000 contacts" },
    ]);
  });
  const { system, user } = process.cpuUsage(since);
  expect(longest).toBeLessThan((system + user) / 1000 / 4);
});

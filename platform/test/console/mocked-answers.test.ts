import { expect, test } from "vitest";
import { answers } from "../../../test/browser/console-answers.js";
import { validate } from "../../../runtime/typescript/values/validation.js";
import * as validators from "../../console/generated/validators.js";

const checks = new Map(Object.entries(validators));

const responses = Object.entries(answers).flatMap(([method, answer]) =>
  (Array.isArray(answer) ? answer : [{ response: answer }])
    .filter((each) => "response" in each)
    .map(({ response }): [string, unknown] => [method, response]),
);

test.each(responses)(
  "browser tests mock a valid response of %s",
  (method, response) => {
    const name = `check${method.split("/")[1]}Response`;
    const check = checks.get(name) ?? expect.unreachable(name);
    expect(validate(Object(check), response)).toEqual([]);
  },
);

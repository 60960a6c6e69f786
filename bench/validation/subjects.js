import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Ajv } from "ajv";
import standaloneCode from "ajv/dist/standalone/index.js";
import * as v from "valibot";
import { z } from "zod";
import { validate } from "@ridlkit/runtime/validation";
import { versionOf } from "../harness/machine.js";
import { jsonSchema } from "../server/contract/json-schema.js";
import { valibotSchema } from "../server/contract/valibot.js";
import { zodSchema } from "../server/contract/zod.js";
import { folder, generated } from "../server/contract/generated.js";
import { compileTypia } from "./typia.js";

export const ownSubject = "ridlkit";
export const baseline = "JSON.parse alone";
const ajvName = `ajv ${versionOf("ajv")}, standalone`;
const typiaName = `typia ${versionOf("typia")}, generated`;
/** The fastest validators of the field. */
export const rivals = [ajvName, typiaName];

/**
 * Creates functions that parse and validate a request.
 *
 * Input: name of the message, e.g. `GetOrdersRequest`.
 * Returns subjects with this message, whose `read(text)` returns the faults. A
 * valid message has none.
 */
export async function createSubjects(message) {
  const checks = {
    ...(await import(generated("validators.js"))),
    ...(await import(generated("types-alone/validators.js"))),
  };
  const check = checks[`check${message}`];
  const ajvCheck = compileAjv(message, { allErrors: true });
  const ajvFirst = compileAjv(message, { allErrors: false });
  const typiaCheck = await compileTypia(message);
  const zodOf = zodSchema(message);
  z.config({ jitless: true });
  const zodWithoutEval = zodSchema(message);
  z.config({ jitless: false });
  const valibotOf = valibotSchema(message);
  const subjects = [
    { name: baseline, read: (text) => nothing(JSON.parse(text)) },
    { name: ownSubject, read: (text) => validate(check, JSON.parse(text)) },
    {
      name: ajvName,
      read: (text) => (ajvCheck(JSON.parse(text)) ? none : ajvCheck.errors),
    },
    {
      name: `ajv ${versionOf("ajv")}, stops at the first mistake`,
      read: (text) => (ajvFirst(JSON.parse(text)) ? none : ajvFirst.errors),
    },
    {
      name: typiaName,
      read: (text) => typiaCheck(JSON.parse(text)).errors ?? none,
    },
    {
      name: `zod ${versionOf("zod")}`,
      read: (text) => zodOf.safeParse(JSON.parse(text)).error?.issues ?? none,
    },
    {
      name: `zod ${versionOf("zod")}, without eval`,
      read: (text) =>
        zodWithoutEval.safeParse(JSON.parse(text), { jitless: true }).error
          ?.issues ?? none,
    },
    {
      name: `valibot ${versionOf("valibot")}`,
      read: (text) => v.safeParse(valibotOf, JSON.parse(text)).issues ?? none,
    },
  ];
  return subjects.map((subject) => ({ ...subject, message }));
}

const none = [];

/** Keeps the engine from optimizing away an unused value. */
function nothing(value) {
  return value === null ? [value] : none;
}

function compileAjv(message, { allErrors }) {
  const ajv = new Ajv({
    code: { source: true },
    discriminator: true,
    allErrors,
  });
  ajv.addFormat("date-time", true);
  const path = join(folder, `ajv-${message}-${allErrors}.cjs`);
  writeFileSync(
    path,
    standaloneCode.default(ajv, ajv.compile(jsonSchema(message))),
  );
  return createRequire(import.meta.url)(path);
}

import { locate, reportError } from "../report/report.js";
import type { Rule } from "./rule.js";

const SERVICE_NAME = /^[A-Za-z_][A-Za-z0-9_]*(\/[A-Za-z_][A-Za-z0-9_]*)*$/;

/** A service's name is part of a path and of names in generated code. */
export const invalidServiceName: Rule = ({ nodes }) =>
  nodes.services.flatMap(({ syntax: { name }, document }) => {
    if (name.text === "" || SERVICE_NAME.test(name.text)) return [];
    return reportError(
      "invalid-service-name",
      locate(document, name),
      `\`${name.text}\` cannot be the name of a service`,
      {
        notes: ["a service's name is one or more names with `/` between them"],
      },
    );
  });

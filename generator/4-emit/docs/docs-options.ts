import { type HostSettings, hostSettings } from "../emitter/host-settings.js";
import type { TargetSetting } from "../emitter/target.js";

/** Options for the explorer. */
export interface DocsOptions extends HostSettings {
  /** Heading of the page. Default: the names of the hosts. */
  readonly title?: string;
  /**
   * Module that snippets import the generated client from. Default: the output
   * folder.
   */
  readonly importFrom?: string;
}

/** The setting of the target `docs`. */
export const docsSetting: TargetSetting = {
  schema: {
    description: "Options for the explorer. Default: `{}`.",
    type: "object",
    additionalProperties: false,
    properties: {
      title: {
        description: "Heading of the page. Default: the names of the hosts.",
        $ref: "#/definitions/text",
        examples: ["Shop API"],
      },
      ...hostSettings(
        "the page's own server",
        "the page's own server",
        "Initial values",
      ),
      importFrom: {
        description:
          "Module that the explorer's code examples import the generated client from. Default: the output folder.",
        $ref: "#/definitions/text",
        examples: ["@acme/client"],
      },
    },
  },
  example: { title: "Shop API" },
};

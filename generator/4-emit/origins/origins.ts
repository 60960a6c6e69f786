import type { Emitter } from "../emitter.js";
import { renderTemplate } from "../templates.js";
import { createOriginsView } from "./view.js";

/**
 * `origins.md`: what the document says and what was filled in, with counts;
 * from the `origin:` lines of the schema. No file when there are none.
 */
export const originsEmitter: Emitter = {
  name: "origins",
  emit(contract) {
    const view = createOriginsView(contract);
    if (view === null) return [];
    const text = renderTemplate("origins/origins.md.hbs", view);
    return [{ path: "origins.md", text }];
  },
};

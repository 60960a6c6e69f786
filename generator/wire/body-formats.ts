import type { BodyFormat } from "../ir/contract.js";
import type { ListForm } from "./slots.js";

/** How request bodies of a format are written. */
interface BodyFormatFacts {
  /** The usual media type, unless the body has files next to its fields. */
  readonly mediaType: string;
  /** How lists of scalars are written. */
  readonly list: ListForm;
  /** What follows the names of lists in a form, or null if it is no form. */
  readonly listMark: string | null;
}

const urlEncoded = "application/x-www-form-urlencoded";

/** The only list of the formats of request bodies. */
export const bodyFormats: Readonly<Record<BodyFormat, BodyFormatFacts>> = {
  json: { mediaType: "application/json", list: "array", listMark: null },
  file: {
    mediaType: "application/octet-stream",
    list: "array",
    listMark: null,
  },
  form: { mediaType: urlEncoded, list: "repeated", listMark: "" },
  "bracket-form": { mediaType: urlEncoded, list: "bracketed", listMark: "[]" },
};

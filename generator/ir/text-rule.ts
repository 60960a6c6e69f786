/** The texts of a core type whose JSON is a string, or of a format. */
export interface TextRule {
  /** Whether servers accept a text, apart from limits. */
  readonly fits: (text: string) => boolean;
  /** The keywords of JSON Schema that describe the texts. */
  readonly keywords: {
    readonly format?: string;
    readonly pattern?: string;
  };
  /**
   * Returns a valid text for a number from 0. Different numbers return
   * different texts, as long as there are more.
   */
  readonly draw: (seed: number) => string;
  /** Valid texts. The first is typical, and others have an unusual form. */
  readonly samples: readonly [string, ...string[]];
  /** Texts that careless implementations accept although they are invalid. */
  readonly faults: readonly string[];
}

/** The texts of `bigint`. Limits apply to the number. */
export const integerText: TextRule = {
  fits: (text) => /^-?\d{1,1000}$/u.test(text),
  keywords: { pattern: "^-?[0-9]{1,1000}$" },
  draw: String,
  samples: ["1", "-7", "007", "123456789012345678901"],
  faults: ["0x10", "1.5", "", "1 "],
};

/** The texts of `timestamp`: RFC 3339, as validators define it. */
export const timeText: TextRule = {
  fits: isTimestamp,
  keywords: { format: "date-time" },
  draw: (seed) => new Date(earliest + (seed % (latest - earliest))).toJSON(),
  samples: [
    "2026-01-31T12:00:00Z",
    "2024-02-29T12:00:00Z",
    "2024-02-29T12:00:00.123456789Z",
    "2024-02-29T12:00:00+01:00",
  ],
  faults: ["yesterday", "2023-02-29T12:00:00Z", "2024-01-01"],
};

/** The texts of `format = uri`: absolute http and https URLs. */
const urlText: TextRule = {
  fits: isUrl,
  // The format allows other schemes.
  keywords: { format: "uri", pattern: "^[Hh][Tt][Tt][Pp][Ss]?://[^/?#]" },
  draw: (seed) => {
    const word = words[seed % words.length] ?? "";
    const turn = Math.floor(seed / words.length);
    return `${hosts[turn] ?? `https://example.com/${turn}/`}${word}`;
  },
  samples: [
    "https://example.com/",
    "http://example.com",
    "HTTPS://user:%20@[::1]:8443/a/b?c=d&e=%20#f",
  ],
  faults: [
    "mailto:shop@example.com",
    "//example.com/",
    "https:example.com",
    "https:///",
    "https://example.com/é",
    "https://example.com/a b",
    "https://example.com/%",
  ],
};

/** The values of `+ format`. */
export const formats = { uri: urlText } as const;

/** Whether servers enforce a format. */
export function isFormat(name: string): name is keyof typeof formats {
  return Object.hasOwn(formats, name);
}

/** Words for text that is made up. */
export const words = ["amber", "birch", "coral", "delta", "ember", "flint"];

const hosts = ["https://example.com/", "https://a.io/", "http://"];

/** Whether a text is a URI of RFC 3986 that URL parsers do not repair. */
function isUrl(text: string): boolean {
  if (!url.test(text)) return false;
  try {
    // After optimization, `URL.canParse` of Node 20 rejects some hosts.
    new URL(text);
    return true;
  } catch {
    return false;
  }
}

const url =
  /^https?:\/\/(?:(?:[!$&-.0-;=A-Z_a-z~]|%[0-9a-f]{2})*@)?(?:\[[0-9a-f:.]+\]|(?:[!$&-.0-9;=A-Z_a-z~]|%[0-9a-f]{2})+)(?::[0-9]*)?(?:[/?](?:[!$&-;=?-Z_a-z~]|%[0-9a-f]{2})*)?(?:#(?:[!$&-;=?-Z_a-z~]|%[0-9a-f]{2})*)?$/i;

const earliest = Date.parse("0001-01-01T00:00:00Z");
const latest = Date.parse("9999-12-31T23:59:59Z");

function isTimestamp(text: string): boolean {
  const [, day, second] =
    /^(\d{4}-\d\d-\d\d)[Tt](?:[01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(?:\.\d{1,9})?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/u.exec(
      text,
    ) ?? [];
  // A day such as February 30 becomes another one.
  if (!day || !new Date(day).toJSON()?.startsWith(day)) return false;
  // A leap second ends the last minute of a day in UTC.
  const isLeap = second === "60";
  const time = Date.parse(text.toUpperCase().replace(":60", ":59"));
  const utc = new Date(isLeap ? time + 1000 : time).toJSON();
  // Years before 0 and after 9999 have a sign and six digits.
  return utc.length === 24 && (!isLeap || utc.startsWith("00:00:00", 11));
}

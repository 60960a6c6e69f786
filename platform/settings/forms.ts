import { isAddress, isHash } from "../../generated/validators.js";

/** A form that strings in the settings must have. */
export interface Form {
  /** Completes the sentence "expected …". */
  readonly expected: string;
  readonly matches: (text: string) => boolean;
  /** Whether errors must not contain the string. */
  readonly isSecret?: boolean;
}

export const anyText: Form = {
  expected: "a string",
  matches: (text) => text !== "",
};

export const amount: Form = {
  expected: "an amount such as 0.05",
  matches: (text) => /^\d{1,30}(?:\.\d{1,18})?$/u.test(text),
};

export const webUrl: Form = {
  expected: "an http or https URL",
  matches: (text) => /^https?:\/\/\S+$/iu.test(text) && URL.canParse(text),
};

/** The URL of a node often contains the key of its provider. */
export const nodeUrl: Form = { ...webUrl, isSecret: true };

export const headsUrl: Form = {
  expected: "a ws or wss URL",
  matches: (text) => /^wss?:\/\/\S+$/iu.test(text) && URL.canParse(text),
  isSecret: true,
};

export const databaseUrl: Form = {
  expected: "a URL that starts with postgres:// or postgresql://",
  matches: (text) => /^postgres(?:ql)?:\/\//iu.test(text),
  isSecret: true,
};

/** Browsers send origins in lower case and without a path. */
export const origin: Form = {
  expected: "an origin such as https://app.example.com, or *",
  matches: (text) =>
    text === "*" || /^[a-z][a-z0-9+.-]*:\/\/[^/\sA-Z]+$/u.test(text),
};

export const headerName: Form = {
  expected: "the name of a header",
  matches: (text) => /^[!#$%&'*+.^_`|~0-9a-z-]+$/iu.test(text),
};

/** The format of a password hash: `scrypt$<cost>$<salt>$<hash>`. */
export const passwordHashForm =
  /^scrypt\$([0-9]{1,8})\$([A-Za-z0-9_-]{22})\$([A-Za-z0-9_-]{43})$/u;

export const passwordHash: Form = {
  expected: "a hash that `operator hash` prints",
  matches: (text) => passwordHashForm.test(text),
  isSecret: true,
};

export const accountKey: Form = {
  expected: "0x and 64 hex digits",
  matches: isHash,
  isSecret: true,
};

export const token: Form = {
  expected: "a string of at least 32 characters",
  matches: (text) => text.length >= 32,
  isSecret: true,
};

/** The address of an account or contract. */
export const address: Form = { expected: "an address", matches: isAddress };

export const hostName: Form = {
  expected: "a host name without a port",
  matches: (text) => /^[^\s:/]+$/u.test(text),
};

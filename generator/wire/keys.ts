/**
 * The pattern of idempotency keys on the wire, which are strings of RFC 9651.
 * Escaped characters count as one.
 */
export const keyPattern = '^"([ !#-\\[\\]-~]|\\\\["\\\\]){1,255}"$';

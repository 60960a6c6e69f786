/** The size of each of the two parts of a file, in bytes. */
export const partBytes = 256 * 1024;

/** Whether a response with this status has no body (RFC 9110, section 15.3). */
export function isBodiless(status: number): boolean {
  return status === 204 || status === 205;
}

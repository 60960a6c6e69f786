/**
 * Whether timers and pending work end together with the request that started
 * them, as on Workers. There, a request must not wait for a promise or a timer
 * of another request.
 */
export function endsWithRequest(): boolean {
  const { navigator }: { readonly navigator?: { readonly userAgent: string } } =
    Object(globalThis);
  return navigator?.userAgent === "Cloudflare-Workers";
}

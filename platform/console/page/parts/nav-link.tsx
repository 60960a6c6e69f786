import { useEffect, useRef, type ReactNode } from "react";
import { Link, useLocation } from "wouter";

/** A navigation link that is marked when its page is shown. */
export function NavLink({
  href,
  and = href,
  children,
}: {
  readonly href: string;
  /**
   * The link is also marked for this address and the pages below it. `/` means
   * none.
   */
  readonly and?: string;
  readonly children: ReactNode;
}) {
  const [location] = useLocation();
  const isBelow = and !== "/" && `${location}/`.startsWith(`${and}/`);
  const isCurrent = location === href || isBelow;
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isCurrent) show(link.current);
  }, [isCurrent]);
  return (
    <Link
      ref={link}
      href={href}
      aria-current={isCurrent ? "page" : undefined}
      onFocus={() => show(link.current)}
    >
      {children}
    </Link>
  );
}

/**
 * Scrolls until all of a link is visible. On narrow screens, the links form a
 * scrolling row, and browsers do not scroll to a link that is already partly
 * visible.
 */
function show(link: HTMLAnchorElement | null): void {
  link?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

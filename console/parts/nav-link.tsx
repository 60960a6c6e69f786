import { useEffect, useRef, type ReactNode } from "react";
import { Link, useLocation } from "wouter";

/** A link of a navigation, which says whether its page is shown. */
export function NavLink({
  href,
  and = href,
  children,
}: {
  readonly href: string;
  /** Pages below this address count as its own, too. */
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
 * Scrolls to all of a link. On narrow screens, links are in a row that scrolls,
 * and browsers leave one that is partly visible where it is.
 */
function show(link: HTMLAnchorElement | null): void {
  link?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

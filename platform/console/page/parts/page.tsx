import { useEffect, useRef, type ReactNode } from "react";

/** The document's title until a page sets its own. */
const consoleTitle = "Project console";

/** Properties of what belongs to a project. */
export interface ProjectProps {
  readonly projectId: number;
}

/** The title, actions and content of a page or section. */
interface Titled {
  readonly title: string;
  readonly about?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page with its title, actions and content. */
export function Page({ title, about, actions, children }: Titled) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // When the user follows a link, screen readers read the title of the new
    // page. When the document loads, the first press of Tab leads to the link
    // that skips the bar.
    const isFirst = document.title === consoleTitle;
    if (!isFirst) heading.current?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    document.title = `${title} · ${consoleTitle}`;
  }, [title]);
  return (
    <>
      <Head className="page-head" about={about} actions={actions}>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
      </Head>
      {children}
    </>
  );
}

/** A section of a page, with its own title. */
export function Section({ title, about, actions, children }: Titled) {
  return (
    <section>
      <Head className="section-head" about={about} actions={actions}>
        <h2>{title}</h2>
      </Head>
      {children}
    </section>
  );
}

function Head({
  className,
  about,
  actions,
  children,
}: Omit<Titled, "title"> & { readonly className: string }) {
  return (
    <div className={className}>
      <div>
        {children}
        {about !== undefined && <p className="about">{about}</p>}
      </div>
      {actions !== undefined && <div className="page-actions">{actions}</div>}
    </div>
  );
}

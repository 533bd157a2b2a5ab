import type { ComponentChildren } from 'preact';
import { go } from './place.ts';

/** A link within the console. */
export function Link({ to, children, current, label }: LinkProps) {
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    go(to);
  };
  return (
    <a href={to} onClick={follow} aria-current={current ? 'page' : undefined} aria-label={label}>
      {children}
    </a>
  );
}

interface LinkProps {
  readonly to: string;
  readonly children: ComponentChildren;
  readonly current?: boolean;
  readonly label?: string;
}

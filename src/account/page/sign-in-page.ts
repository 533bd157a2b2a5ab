import type { ListenOnLoopback } from '../../platform/server/loopback-server.ts';
import { createAnswerer } from './answer.ts';
import type { OfferedComponent, PageOutcome } from './component.ts';

/** A page on this machine that waits for one sign-in. */
export interface SignInPage {
  /** The address that the service's own sign-in page returns to. */
  readonly redirectUrl: string;
  /** Puts the component on the page; returns the address to open. */
  offer(component: OfferedComponent): string;
  /** Resolves once. It cannot be triggered without the page's state. */
  readonly outcome: Promise<PageOutcome>;
  close(): Promise<void>;
}

/**
 * Opens the page for a login on a free port of 127.0.0.1. Its addresses contain a 256-bit state: without it nothing is
 * shown and nothing is accepted. It serves one sign-in.
 */
export async function openSignInPage(means: {
  readonly listen: ListenOnLoopback;
  readonly randomBytes: (length: number) => Uint8Array;
}): Promise<SignInPage> {
  const state = Buffer.from(means.randomBytes(32)).toString('base64url');
  let finish: (outcome: PageOutcome) => void = () => {};
  const outcome = new Promise<PageOutcome>((resolve) => {
    finish = resolve;
  });
  const answerer = createAnswerer(state, finish);
  const server = await means.listen((request) => answerer.answer(request, server.origin));
  const address = (path: string) => `${server.origin}${path}?${new URLSearchParams({ state })}`;
  return {
    redirectUrl: address('/return'),
    offer(component) {
      answerer.offer(component);
      return address('/');
    },
    outcome,
    close: () => server.close(),
  };
}

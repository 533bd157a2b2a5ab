import type { Secret } from '../../platform/settings/secret.ts';

/** The result of a sign-in on a page. */
export type PageOutcome = { readonly kind: 'granted'; readonly shopId: string } | { readonly kind: 'denied' };

/** The service's sign-in component and its parameters. */
export interface OfferedComponent {
  /** The address of its script; https, or on this machine. */
  readonly componentUrl: string;
  /** The only secret on the page; it is worthless after the sign-in. */
  readonly requestToken: Secret;
}

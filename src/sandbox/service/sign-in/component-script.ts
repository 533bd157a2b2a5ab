/**
 * The component that a page on this machine includes (decisions, section 3). It shows the sign-in in a frame of the
 * sandbox's origin, so that the embedding page can neither read nor click anything in it; the token is sent to that
 * origin only, by postMessage.
 */
export const componentScript = /* js */ `'use strict';
(() => {
  const base = new URL('.', document.currentScript.src);
  const takesLongMs = 15000;

  /** Calls its listeners with what happened, also those that come later. */
  const signal = () => {
    const listeners = [];
    let happened = [];
    return {
      fire: (value) => { happened = [value]; for (const listener of listeners) listener(value); },
      listen: (listener) => {
        listeners.push(listener);
        for (const value of happened) queueMicrotask(() => listener(value));
      },
    };
  };

  const init = ({ elem, auth_token, customize } = {}) => {
    const [ready, granted, failed] = [signal(), signal(), signal()];
    const fail = (event, message) => failed.fire({ event, error: { message } });
    const chain = {
      onReady: (listener) => { ready.listen(listener); return chain; },
      onAccessGranted: (listener) => { granted.listen(listener); return chain; },
      onError: (listener) => { failed.listen(listener); return chain; },
    };

    const place = typeof elem === 'string' ? document.querySelector(elem) : elem;
    const fault =
      !(place instanceof Element) ? 'elem is neither an element nor a selector of one'
      : !/^(?:request|shop\\d+):/.test(String(auth_token)) ? 'auth_token must be a request token or a shop key'
      : undefined;
    if (fault) {
      fail('init', fault);
      return chain;
    }

    const frame = document.createElement('iframe');
    frame.title = 'Shop sign-in';
    frame.style.cssText = 'display: block; width: 100%; height: 24rem; border: 0;';
    const late = setTimeout(() => fail('load', 'the sign-in did not load: ' + base.origin), takesLongMs);
    const hear = {
      loaded: () => frame.contentWindow.postMessage(
        { type: 'shop-sign-in:begin', auth_token, title: customize?.title }, base.origin),
      height: ({ height }) => { frame.style.height = Math.min(Number(height) || 0, 4000) + 'px'; },
      ready: () => { clearTimeout(late); ready.fire(); },
      granted: ({ shop_id }) => { clearTimeout(late); granted.fire({ shop_id }); },
      error: ({ event, message }) => { clearTimeout(late); fail(event, message); },
    };
    addEventListener('message', ({ origin, source, data }) => {
      if (origin !== base.origin || source !== frame.contentWindow) return;
      const what = String(data?.type).replace(/^shop-sign-in:/, '');
      if (Object.hasOwn(hear, what)) hear[what](data);
    });
    const address = new URL('frame', base);
    address.searchParams.set('embedder', location.origin);
    frame.src = address.href;
    place.replaceChildren(frame);
    return chain;
  };

  globalThis.shopSignIn = { init };
})();
`;

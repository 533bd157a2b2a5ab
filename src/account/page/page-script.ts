/** The script of the page: it starts the component and reports its result. */
export const pageScript = /* js */ `'use strict';
(() => {
  const place = document.getElementById('sign-in');
  const status = document.getElementById('status');
  const { authToken, state } = place.dataset;
  const say = (text, role) => {
    status.setAttribute('role', role ?? 'status');
    status.textContent = text;
  };

  /** Tells the program that opened this page how it ended, and shows what it says to that. */
  const finish = async (outcome) => {
    try {
      const answer = await fetch('/return', { method: 'POST', body: new URLSearchParams({ state, ...outcome }) });
      const said = new DOMParser().parseFromString(await answer.text(), 'text/html');
      document.title = said.title;
      document.querySelector('main').replaceWith(document.adoptNode(said.querySelector('main')));
    } catch {
      say('The terminal does not answer. If it still waits there, type the id of the shop.', 'alert');
    }
  };

  if (typeof globalThis.shopSignIn?.init !== 'function') {
    say('The sign-in of the service could not be loaded. Reload this page to try again.', 'alert');
    return;
  }
  globalThis.shopSignIn
    .init({ elem: place, auth_token: authToken, customize: {} })
    .onReady(() => say(''))
    .onAccessGranted(({ shop_id }) => {
      // Digits that were lost in a number must not name another shop.
      if (typeof shop_id === 'number' && !Number.isSafeInteger(shop_id)) {
        say('The shop signed in. Type its id in the terminal.', 'alert');
      } else finish({ shop_id: String(shop_id) });
    })
    .onError(({ event, error }) => {
      if (event === 'denied') finish({ error: 'access_denied' });
      else say('The sign-in says: ' + (error?.message ?? event), 'alert');
    });
})();
`;

/**
 * The script of the sign-in's own pages: the countdown, a single submit, and the frame's messages to the embedding
 * page.
 */
export const pageScript = /* js */ `'use strict';
(() => {
  const { embedder, outcome, shopId, event, message } = document.body.dataset;

  // Only to the page that the frame was made for; elsewhere the browser does not show the frame at all.
  const tell = (what, facts) => {
    if (embedder && parent !== window) parent.postMessage({ type: 'shop-sign-in:' + what, ...facts }, embedder);
  };

  if (embedder) {
    document.documentElement.classList.add('framed');
    new ResizeObserver(() => tell('height', { height: document.documentElement.scrollHeight })).observe(document.body);
  }

  if (outcome === 'waiting') {
    addEventListener('message', ({ origin, source, data }) => {
      if (origin !== embedder || source !== parent || data?.type !== 'shop-sign-in:begin') return;
      const form = document.getElementById('begin');
      form.elements.auth_token.value = String(data.auth_token);
      form.elements.title.value = String(data.title ?? '');
      form.submit();
    });
    tell('loaded', {});
  }
  if (outcome === 'granted') tell('granted', { shop_id: shopId });
  if (outcome === 'error') tell('error', { event, message });

  const left = document.getElementById('left');
  if (!left) return;
  tell('ready', {});

  // A second submit would find the request used, and its page would take the place of the first one's.
  let submitted = false;
  document.forms[0].addEventListener('submit', (submission) => {
    if (submitted) submission.preventDefault();
    submitted = true;
  });
  addEventListener('pageshow', () => { submitted = false; });

  const end = performance.now() + Number(left.dataset.seconds) * 1000;
  const count = () => {
    const seconds = Math.max(0, Math.round((end - performance.now()) / 1000));
    left.textContent = Math.floor(seconds / 60) + ':' + String(seconds % 60).padStart(2, '0');
    if (seconds > 0) return;
    clearInterval(timer);
    for (const button of document.querySelectorAll('button')) button.disabled = true;
    const expiry = document.getElementById('expiry');
    expiry.textContent = 'This request has expired. Go back to the program that brought you here and begin again.';
    expiry.setAttribute('role', 'alert');
    tell('error', { event: 'expired', message: 'the request has expired' });
  };
  const timer = setInterval(count, 1000);
  count();
})();
`;

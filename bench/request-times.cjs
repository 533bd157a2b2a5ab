// Loaded into a process before it begins: tells when its first quote or customer left and when its last answer was there, in
// milliseconds since the process began, as undici reports them on its diagnostics channels.
const { subscribe } = require('node:diagnostics_channel');
const { writeFileSync } = require('node:fs');

let [first, last] = [0, 0];
subscribe('undici:request:create', ({ request }) => {
  if (first === 0 && /\/(?:GetShippingServices|CreateCustomer)$/.test(request.path)) first = performance.now();
});
subscribe('undici:request:trailers', () => {
  last = performance.now();
});
process.on('exit', () => writeFileSync(process.env.REQUEST_TIMES, JSON.stringify({ first, last })));

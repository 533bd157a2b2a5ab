/**
 * Sets a field of an object as its own, whatever it is named: assigning to `__proto__` would replace the prototype, and
 * the fields inherited from there would count as given.
 */
export function setOwn(target: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') {
    Object.defineProperty(target, name, { value, enumerable: true, writable: true, configurable: true });
  } else target[name] = value;
}

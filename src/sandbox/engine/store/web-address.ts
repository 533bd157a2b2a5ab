/**
 * The url of something that a person would open in a browser. The sandbox has no such pages, and the name will never
 * resolve: it is reserved for examples (RFC 2606; our choice).
 */
export function webAddress(path: string): string {
  return `https://sandbox.example/${path}`;
}

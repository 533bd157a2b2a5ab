/**
 * The url of something that a person would look at in a browser. The sandbox has no such pages, and nothing will ever
 * answer there: the name is one of those that are kept for examples (RFC 2606; our choice).
 */
export function webAddress(path: string): string {
  return `https://sandbox.example/${path}`;
}

/** Shows a page to the person at this machine. */
export interface Browser {
  /** Whether a browser took the address. Only http and https addresses are opened; no answer is a reason to fail. */
  open(url: string): Promise<{ opened: boolean }>;
}

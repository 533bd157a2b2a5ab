/** Shows a web page to the user of this machine. */
export interface Browser {
  /**
   * Whether a browser accepted the address. Only http and https addresses are opened; a failure to open is not an
   * error.
   */
  open(url: string): Promise<{ opened: boolean }>;
}

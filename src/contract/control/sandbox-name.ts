/** What a sandbox can be called: letters, digits, `_`, `-` and `.`, at most 64. It is the name of a file too. */
export const sandboxName = /^\w[\w.-]{0,63}$/;

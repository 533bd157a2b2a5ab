/** Valid sandbox names: letters, digits, `_`, `-` and `.`, at most 64. It is also used as a file name. */
export const sandboxName = /^\w[\w.-]{0,63}$/;

/**
 * One argument as the programs of Windows split it off their command line again: quoted where it is empty or holds
 * blanks or quotes, backslashes doubled only where they stand before a quote.
 */
export function quoteArgument(argument: string): string {
  if (argument !== "" && !/[\s"]/.test(argument)) return argument;
  const escaped = argument.replace(/(\\*)"/g, '$1$1\\"').replace(/\\+$/, "$&$&");
  return `"${escaped}"`;
}

/** The command line of a program and its arguments. No shell ever reads it. */
export function commandLineFor(command: string, args: readonly string[]): string {
  return [`"${command}"`, ...args.map(quoteArgument)].join(" ");
}

/**
 * One step of the file's layout. A released step is never edited: a file that took it must stay what it says, so a
 * change is always a further step.
 */
export interface Migration {
  /** The layout number the file has afterwards; steps are numbered without gaps from 1. */
  readonly layout: number;
  /** Kebab-case, as in the file name; stands in the name of the backup taken before the step. */
  readonly name: string;
  /** SQL run in one transaction with the new number. */
  readonly statements: string;
}

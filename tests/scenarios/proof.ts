/** A test by its file, from the root of the repository, and its name as it stands in the text. */
export interface Proof {
  readonly file: string;
  readonly test: string;
}
export const proof = (file: string, test: string): Proof => ({ file, test });

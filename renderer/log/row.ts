/** Height of a line that is not wrapped, as the style sheet has it. CSS pixels. */
export const ROW = 20;
